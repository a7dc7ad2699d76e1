import { expect, test } from 'vitest'
import { aBrowser, soon } from '../support/browser/browser.ts'
import { violations } from '../support/browser/accessibility.ts'
import { aBuiltBerth } from '../support/browser/berth.ts'
import { aVmFor, graphOf } from '../support/browser/root-client.ts'
import { gone } from '../support/browser/page.ts'

const berth = await aBuiltBerth()
const browser = await aBrowser(berth.url)
const ask = await graphOf(berth.url)

test('SSH access is opened, shows its command, waits while the VM is stopped, and is withdrawn', async () => {
  const vm = await aVmFor(ask, { name: 'db-1' })
  const { page } = await browser.root(`/vms/${vm.name}?tab=network`)
  const card = page.getByRole('region', { name: /^SSH from outside/ })
  const state = card.getByRole('status', { name: 'State of SSH' })
  await state.getByText('Closed').waitFor()
  expect(await violations(page)).toEqual([])
  await card.getByRole('button', { name: 'Expose SSH' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Expose SSH of db-1' })
  await dialog.getByText('Everybody who reaches a node reaches it').waitFor()
  expect(await violations(page)).toEqual([])
  await dialog.getByLabel('Port').fill('22')
  await page.keyboard.press('Enter')
  await dialog.getByText(/At least 30,000/).waitFor()
  await dialog.getByLabel('Port').fill('31022')
  await page.keyboard.press('Enter')
  await dialog.waitFor(gone)
  await state.getByText('Open', { exact: true }).waitFor()
  await card.getByText(`ssh -p 31022 user@${new URL(berth.url).hostname}`).waitFor()
  await card.getByRole('button', { name: 'Copy command' }).waitFor()
  expect(await violations(page)).toEqual([])

  await ask('mutation ($i: StopVmInput!) { stopVm(input: $i, waitSeconds: 30) { vm { id } } }', {
    id: vm.id,
  })
  await state.getByText('Waiting').waitFor()
  await card.getByText('The VM has no IP at the moment').waitFor()
  await card.getByRole('button', { name: 'Withdraw' }).click()
  await page.getByRole('button', { name: 'Withdraw SSH' }).click()
  await state.getByText('Closed').waitFor()
  expect(
    (await ask('{ vmByName(name: "db-1") { ssh { exposed nodePort } } }')).vmByName.ssh,
  ).toEqual({ exposed: false, nodePort: null })
})

test('a taken port and a VM without a reachable NIC show their errors in the SSH card', async () => {
  await aVmFor(ask, { name: 'first' })
  const second = await aVmFor(ask, { name: 'second' })
  await ask(
    'mutation ($i: ExposeVmSshInput!) { exposeVmSsh(input: $i, waitSeconds: 30) { vm { id } } }',
    {
      name: 'first',
      nodePort: 31_023,
    },
  )
  await ask(
    'mutation ($i: ExposeVmSshInput!) { exposeVmSsh(input: $i, waitSeconds: 30) { vm { id } } }',
    {
      name: 'second',
      nodePort: 31_023,
    },
  )
  const { page } = await browser.root(`/vms/${second.name}?tab=network`)
  const card = page.getByRole('region', { name: /^SSH from outside/ })
  await card
    .getByRole('alert')
    .getByText(/31023 is taken already/)
    .waitFor()
  await card.getByRole('status', { name: 'State of SSH' }).getByText('Refused').waitFor()
  expect(await violations(page)).toEqual([])

  const { networks } = await ask('{ networks(first: 1) { nodes { id } } }')
  const apart = await aVmFor(ask, {
    name: 'apart',
    start: false,
    podNetwork: false,
    networkIds: [networks.nodes[0].id],
  })
  await page.goto(`/vms/${apart.name}?tab=network`)
  await card.getByRole('button', { name: 'Expose SSH' }).click()
  const dialog = page.getByRole('dialog', { name: 'Expose SSH of apart' })
  await dialog.getByRole('button', { name: 'Expose SSH' }).click()
  await dialog
    .getByRole('alert')
    .getByText(/no NIC on the cluster network/)
    .waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor(gone)
  await expect
    .poll(() => card.getByRole('status', { name: 'State of SSH' }).textContent(), soon)
    .toBe('Closed')
})
