import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { aBrowser, soon } from '../support/browser/browser.ts'
import { violations } from '../support/browser/accessibility.ts'
import { aBuiltBerth } from '../support/browser/berth.ts'
import { choose, gone, live, row } from '../support/browser/page.ts'

const berth = await aBuiltBerth()
const browser = await aBrowser(berth.url)

async function createOffering(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'New offering' }).click()
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByRole('textbox', { name: 'Processors' }).fill('1')
  await page.getByRole('textbox', { name: 'Memory' }).fill('512')
  await page.getByRole('button', { name: 'Create offering' }).click()
  await page.getByRole('dialog').waitFor(gone)
}

test('an offering is created, edited, deactivated and deleted, and another browser follows', async () => {
  const [{ page }, other] = await Promise.all([
    browser.root('/offerings'),
    browser.root('/offerings'),
  ])
  await createOffering(page, 'tiny')
  await row(other.page, 'tiny').getByText('512 MiB').waitFor()

  await choose(page, { row: 'tiny', item: 'Edit' })
  expect(await page.getByLabel('Name', { exact: true }).getAttribute('readonly')).not.toBeNull()
  await page.getByLabel('Shown as').fill('Tiny one')
  await page.getByRole('textbox', { name: 'Memory' }).fill('1024')
  await page.getByText('That is 1 GiB.').waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await row(other.page, 'Tiny one').getByText('1 GiB').waitFor()

  await choose(page, { row: 'Tiny one', item: 'Deactivate' })
  await row(other.page, 'Tiny one').waitFor(gone)
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Tiny one can be chosen again.').waitFor()
  await row(other.page, 'Tiny one').getByText('Active').waitFor()

  await choose(page, { row: 'Tiny one', item: 'Deactivate' })
  await page.getByText('Tiny one is no longer offered.').waitFor()
  expect(await violations(page)).toEqual([])
  await row(page, 'Tiny one').waitFor(gone)
  await row(other.page, 'Tiny one').waitFor(gone)

  await page.getByRole('radio', { name: 'All' }).check()
  await row(page, 'Tiny one').getByText('Inactive').waitFor()
  await choose(page, { row: 'Tiny one', item: 'Delete' })
  await page.getByRole('button', { name: 'Delete offering' }).click()
  await page.getByText('Deleted Tiny one.').waitFor()
  await row(page, 'Tiny one').waitFor(gone)
})

test('the seeded offerings are listed, and the state of the list is in the URL', async () => {
  const { page } = await browser.root('/offerings')
  const rows = page.locator('tbody').getByRole('row')
  await expect.poll(() => rows.count(), soon).toBeGreaterThanOrEqual(7)
  await page.getByRole('button', { name: 'Memory' }).click()
  await page.getByRole('button', { name: 'Memory' }).click()
  await page
    .getByRole('columnheader', { name: 'Memory' })
    .and(page.locator('[aria-sort=descending]'))
    .waitFor()
  const largestFirst = rows.first().getByText('Windows large')
  await largestFirst.waitFor()
  await page.reload()
  await live(page)
  await largestFirst.waitFor()
  await page.getByRole('searchbox', { name: 'Search offerings' }).fill('no such size')
  await page.getByText('No offering matches').waitFor()
  await page.goBack()
})

test('an invalid offering is refused at its fields and keeps the input', async () => {
  const { page } = await browser.root('/offerings')
  await page.getByRole('button', { name: 'New offering' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Not a name')
  await page.getByRole('textbox', { name: 'Processors' }).fill('0')
  await page.getByRole('button', { name: 'Create offering' }).click()
  await expect.poll(() => page.locator('[aria-invalid=true]').count(), soon).toBe(2)
  expect(await page.getByRole('textbox', { name: 'Processors' }).inputValue()).toBe('0')
})
