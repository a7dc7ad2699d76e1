import { expect, test } from 'vitest'
import { aBrowser, soon } from '../support/browser/browser.ts'
import { violations } from '../support/browser/accessibility.ts'
import { aBuiltBerth } from '../support/browser/berth.ts'
import { aVmFor, graphOf } from '../support/browser/root-client.ts'
import { choose, gone, row } from '../support/browser/page.ts'

const berth = await aBuiltBerth()
const browser = await aBrowser(berth.url)
const ask = await graphOf(berth.url)

test('a volume is created, attached, snapshotted, restored to a new one and deleted, and another browser follows', async () => {
  const vm = await aVmFor(ask, { name: 'db-1' })
  const [{ page }, watcher] = await Promise.all([
    browser.root('/volumes'),
    browser.root('/volumes'),
  ])
  await page.getByText('No volumes yet').waitFor()
  await page.getByRole('button', { name: 'New volume' }).first().click()
  await page.getByLabel('Name', { exact: true }).fill('My Data')
  await page.getByText('It will be called my-data.').waitFor()
  await page.getByRole('textbox', { name: 'Size' }).fill('2')
  expect(await page.getByRole('radio', { name: /^fast Default/ }).isChecked()).toBe(true)
  await page.getByRole('button', { name: 'Create volume' }).click()
  await row(watcher.page, 'my-data').getByText('Ready').waitFor()

  await choose(page, { row: 'my-data', item: 'Attach' })
  await page.getByRole('radio', { name: vm.name }).check()
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Attach volume' }).click()
  await row(watcher.page, 'my-data').getByText('Attached').waitFor()
  await row(watcher.page, 'my-data').getByRole('link', { name: vm.name }).waitFor()
  await page.getByRole('button', { name: 'Actions for my-data' }).click()
  const remove = page.getByRole('menuitem', { name: 'Delete' })
  await remove.getByText(/attached to a VM/).waitFor()
  expect(await remove.getAttribute('aria-disabled')).toBe('true')

  await page.getByRole('menuitem', { name: 'Take snapshot' }).click()
  await page.getByText('It is as after a power cut').waitFor()
  await page.getByLabel('Name', { exact: true }).fill('before')
  await page.getByRole('button', { name: 'Take snapshot' }).click()
  await page.getByRole('dialog').waitFor(gone)
  await page.getByRole('link', { name: 'Volume snapshots' }).click()
  await row(page, 'before').getByText('Ready').waitFor()
  await choose(page, { row: 'before', item: 'Restore to a new volume' })
  await page.getByLabel('Name', { exact: true }).fill('again')
  await page.getByRole('textbox', { name: 'Size' }).fill('1')
  await page.getByRole('button', { name: 'Restore' }).click()
  await page.getByText(/at least 2/).waitFor()
  await page.getByRole('textbox', { name: 'Size' }).fill('3')
  await page.getByRole('button', { name: 'Restore' }).click()
  await row(watcher.page, 'again').getByText('3 GiB').waitFor()
  await row(watcher.page, 'again').getByText('Ready').waitFor()

  await page.getByRole('link', { name: 'Volumes', exact: true }).click()
  await choose(page, { row: 'my-data', item: 'Detach' })
  await page.getByRole('button', { name: 'Detach volume' }).click()
  await row(watcher.page, 'my-data').getByText('Ready').waitFor()
  await choose(page, { row: 'my-data', item: 'Delete' })
  await page.getByLabel(/^Type/).fill('my-data')
  await page.getByRole('button', { name: 'Delete volume' }).click()
  await row(watcher.page, 'my-data').waitFor(gone)
  await page.getByRole('link', { name: 'Volume snapshots' }).click()
  await row(page, 'before').getByText('my-data').waitFor()
  await choose(page, { row: 'before', item: 'Delete' })
  await page.getByRole('button', { name: 'Delete snapshot' }).click()
  await page.getByText('No snapshots yet').waitFor()
})

test('a storage class shows its limits when chosen and at each button of its volumes', async () => {
  const { page } = await browser.root('/volumes')
  await page.getByRole('button', { name: 'New volume' }).first().click()
  await page.getByLabel('Name', { exact: true }).fill('plain')
  const local = page.getByRole('radio', { name: /^local-path/ })
  await local.check()
  await page
    .getByText(/snapshots.*local-path|local-path.*snapshots/i)
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Create volume' }).click()
  await row(page, 'plain').getByText('Ready').waitFor()
  await page.getByRole('button', { name: 'plain', exact: true }).click()
  const drawer = page.getByRole('dialog', { name: 'plain' })
  await drawer
    .getByText(/takes room with its first use|before its first use|first use/i)
    .first()
    .waitFor()
  const grow = drawer.getByRole('button', { name: 'Grow' })
  expect(await grow.getAttribute('aria-disabled')).toBe('true')
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await drawer.waitFor(gone)
  await page.getByRole('button', { name: 'Actions for plain' }).click()
  await page
    .getByRole('menuitem', { name: 'Take snapshot' })
    .getByText(/local-path/)
    .waitFor()
})

test('a volume grows and is renamed, and its open drawer is in the URL', async () => {
  const { page } = await browser.root('/volumes')
  await ask(
    'mutation ($i: CreateVolumeInput!) { createVolume(input: $i, waitSeconds: 30) { volume { id } } }',
    {
      name: 'growing',
      sizeGi: 1,
    },
  )
  await choose(page, { row: 'growing', item: 'Grow' })
  await page.getByRole('textbox', { name: 'New size' }).fill('1')
  await page.getByRole('button', { name: 'Grow volume' }).click()
  await page.getByText('At least 2 GiB').waitFor()
  await page.getByRole('textbox', { name: 'New size' }).fill('3')
  await page.getByRole('button', { name: 'Grow volume' }).click()
  await row(page, 'growing').getByText('3 GiB').waitFor()
  await choose(page, { row: 'growing', item: 'Rename' })
  await page.getByLabel('Name', { exact: true }).fill('grown')
  await page.getByRole('button', { name: 'Rename' }).click()
  await page.getByRole('button', { name: 'grown', exact: true }).click()
  await page.reload()
  await page.getByRole('dialog', { name: 'grown' }).getByText('3 GiB').first().waitFor()
})

test('a list that cannot be read shows an error and recovers on the next try', async () => {
  browser.expects(/ERR_FAILED|Failed to load/)
  const { page } = await browser.root('/operations')
  await page.route('**/graphql', (route) =>
    /query Volumes\b/.test(route.request().postData() ?? '') ? route.abort() : route.continue(),
  )
  await page.getByRole('link', { name: 'Volumes', exact: true }).click()
  await page.getByRole('alert').getByText('Berth did not answer.').waitFor()
  expect(await violations(page)).toEqual([])
  await page.unroute('**/graphql')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => page.getByRole('alert').count(), soon).toBe(0)
  await page.getByRole('table').waitFor()
})
