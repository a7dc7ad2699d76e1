import { expect, test } from 'vitest'
import { aBrowser, soon } from '../support/browser/browser.ts'
import { violations } from '../support/browser/accessibility.ts'
import { aBuiltBerth } from '../support/browser/berth.ts'
import { aVmFor, graphOf } from '../support/browser/root-client.ts'
import { choose, gone, row } from '../support/browser/page.ts'
import { waitFor } from '../support/wait-for.ts'

const berth = await aBuiltBerth()
const browser = await aBrowser(berth.url)
const ask = await graphOf(berth.url)

async function aVmWith({
  name,
  storageClass,
  start,
}: {
  name: string
  storageClass: string
  start: boolean
}): Promise<string> {
  const create =
    'mutation ($i: CreateVolumeInput!) { createVolume(input: $i, waitSeconds: 30) { volume { id } } }'
  const { volume } = (await ask(create, { name: `${name}-data`, sizeGi: 1, storageClass }))
    .createVolume
  const vm = await aVmFor(ask, { name, start, dataVolumeId: volume.id })
  const isBound = async (): Promise<boolean> =>
    (await ask(`{ volume(id: "${volume.id}") { bound } }`)).volume.bound
  await waitFor(isBound, { timeoutMs: 20_000, what: 'the volume to take room' })
  return vm.name
}

test('a VM snapshot is taken, shows its coverage, and is restored, cloned and deleted', async () => {
  const vm = await aVmWith({ name: 'db-1', storageClass: 'fast', start: false })
  const { page } = await browser.root('/vm-snapshots')
  await page.getByText('No VM snapshots yet').waitFor()
  await page.getByRole('button', { name: 'New snapshot' }).first().click()
  await page.getByLabel('Name', { exact: true }).fill('first')
  await page.getByRole('radio', { name: vm }).check()
  await page.getByRole('button', { name: 'Take snapshot' }).click()
  await row(page, 'first').getByText('All disks').waitFor()
  await row(page, 'first').getByText('Ready').waitFor()

  await page.getByRole('button', { name: 'first', exact: true }).click()
  const drawer = page.getByRole('dialog', { name: 'first' })
  await drawer
    .getByRole('listitem')
    .filter({ hasText: 'db-1-data' })
    .getByText('In it', { exact: true })
    .waitFor()
  await drawer
    .getByRole('listitem')
    .filter({ hasText: 'root' })
    .getByText(/forgets/)
    .waitFor()
  expect(await violations(page)).toEqual([])
  await drawer.getByRole('button', { name: 'Restore' }).click()
  const confirm = page.getByRole('button', { name: 'Restore machine' })
  expect(await confirm.getAttribute('aria-disabled')).toBe('true')
  await page.getByLabel(/^Type/).fill(vm)
  expect(await violations(page)).toEqual([])
  await confirm.click()
  await confirm.waitFor(gone)
  await page.keyboard.press('Escape')
  await row(page, 'Taken before a restore').getByText('Ready').waitFor()
  const restored = async (): Promise<unknown> =>
    (await ask('{ operations(first: 1, filter: { kind: "restore_vm" }) { nodes { state } } }'))
      .operations.nodes[0]?.state
  await expect.poll(restored, soon).toBe('succeeded')

  await choose(page, { row: 'first', item: 'Clone' })
  await page.getByLabel('Name', { exact: true }).fill('db-2')
  await page.getByRole('switch', { name: 'Start it when it is made' }).click()
  await page.getByRole('checkbox', { name: /^MAC addresses/ }).check()
  await page.getByRole('button', { name: 'Clone machine' }).click()
  // The original VM still exists and uses these MAC addresses.
  await page.getByText(/The clone cannot keep MAC/).waitFor()
  await page.getByRole('checkbox', { name: /^MAC addresses/ }).uncheck()
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Clone machine' }).click()
  await page.getByText('Machine db-2 is being made.').waitFor()
  await expect
    .poll(async () => (await ask('{ vmByName(name: "db-2") { state } }')).vmByName?.state, soon)
    .toBe('Stopped')

  await choose(page, { row: 'first', item: 'Delete' })
  await page.getByRole('button', { name: 'Delete snapshot' }).click()
  await row(page, 'first').filter({ hasNotText: 'Taken before' }).waitFor(gone)
})

test('a snapshot that would lack disks says so first and is taken only when accepted', async () => {
  const vm = await aVmWith({ name: 'scratch-1', storageClass: 'local-path', start: true })
  const { page } = await browser.root('/vm-snapshots')
  await page.getByRole('button', { name: 'New snapshot' }).first().click()
  await page.getByLabel('Name', { exact: true }).fill('lacking')
  await page.getByRole('radio', { name: vm }).check()
  await page.getByRole('button', { name: 'Take snapshot' }).click()
  await page.getByText(/only its settings and lack .*scratch-1-data/).waitFor()
  expect(await violations(page)).toEqual([])
  await page.getByRole('switch', { name: 'Take it all the same' }).click()
  await page.getByRole('button', { name: 'Take snapshot' }).click()
  await row(page, 'lacking').getByText('Settings only').waitFor()
})

test('a snapshot on the VM page restores the VM to its earlier size', async () => {
  const vm = await aVmWith({ name: 'db-5', storageClass: 'fast', start: false })
  const { id } = (await ask(`{ vmByName(name: "${vm}") { id } }`)).vmByName
  const [{ page }, watcher] = await Promise.all([
    browser.root(`/vms/${vm}?tab=snapshots`),
    browser.root(`/vms/${vm}?tab=overview`),
  ])
  await page.getByText('No VM snapshots yet').waitFor()
  await page.getByRole('button', { name: 'Take snapshot' }).first().click()
  const dialog = page.getByRole('dialog', { name: `Snapshot of ${vm}` })
  await dialog.getByLabel('Name', { exact: true }).fill('small')
  expect(await violations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Take snapshot' }).click()
  await row(page, 'small').getByText('All disks').waitFor()
  await row(page, 'small').getByText('Ready').waitFor()

  await ask(
    'mutation ($i: UpdateVmInput!) { updateVm(input: $i, waitSeconds: 20) { vm { id } } }',
    { id, cpu: 2 },
  )
  const size = watcher.page.getByRole('region', { name: 'Size' })
  await size.getByText('2 vCPU').waitFor()
  await choose(page, { row: 'small', item: 'Restore' })
  await page.getByLabel(/^Type/).fill(vm)
  await page.getByRole('switch', { name: 'Keep how it is now' }).click()
  await page.getByRole('button', { name: 'Restore machine' }).click()
  await page.getByText(`${vm} is being restored.`).waitFor()
  await size.getByText('1 vCPU').waitFor()
})
