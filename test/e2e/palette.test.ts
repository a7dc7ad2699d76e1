import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { aBrowser, soon } from '../support/browser/browser.ts'
import { violations } from '../support/browser/accessibility.ts'
import { aBuiltBerth } from '../support/browser/berth.ts'
import { aVmFor, graphOf } from '../support/browser/root-client.ts'
import { gone, row } from '../support/browser/page.ts'

const berth = await aBuiltBerth()
const browser = await aBrowser(berth.url)
const ask = await graphOf(berth.url)

/** Types the text and presses Enter when the expected option is selected. */
async function choose(page: Page, text: string, expected: string | RegExp): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search and do' }).waitFor()
  await page.keyboard.type(text)
  await page.getByRole('option', { name: expected, selected: true }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('combobox', { name: 'Search and do' }).waitFor(gone)
}

const isFocused = (page: Page, name: string): Promise<boolean> =>
  page
    .getByRole('heading', { level: 1, name })
    .evaluate((heading) => heading === document.activeElement)

test('the palette finds, starts and runs actions by keyboard alone, and another browser follows', async () => {
  await aVmFor(ask, { name: 'quay-1', start: false })
  const [{ page }, watcher] = await Promise.all([browser.root('/templates'), browser.root('/vms')])
  await choose(page, 'start quay', 'Start quay-1')
  await page.getByText('quay-1 is starting.').waitFor()
  await row(watcher.page, 'quay-1').getByText('Running', { exact: true }).waitFor()
  await choose(page, 'quay', /^quay-1 Machine/)
  await expect.poll(() => isFocused(page, 'quay-1'), soon).toBe(true)

  await page.keyboard.press('Control+k')
  await page.keyboard.type('start quay-1')
  const refused = page.getByRole('option', { name: /^Start quay-1.*running/i })
  await refused.waitFor()
  expect(await refused.getAttribute('aria-disabled')).toBe('true')
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('Enter')
  await refused.waitFor()
  await page.keyboard.press('Escape')
  await refused.waitFor(gone)

  await choose(page, 'delete quay', 'Delete quay-1')
  await page.getByRole('dialog', { name: 'Delete quay-1?' }).waitFor()
  await page.keyboard.press('Escape')
  await choose(page, 'new vol', 'New volume')
  const form = page.getByRole('dialog', { name: 'New volume' })
  await form.waitFor()
  expect(new URL(page.url()).search).toBe('')
  await page.keyboard.press('Escape')
  await form.waitFor(gone)
  await choose(page, 'dark', 'Dark theme')
  await expect
    .poll(() => page.evaluate(() => document.documentElement.dataset['theme']), soon)
    .toBe('dark')
  await page.keyboard.press('Control+/')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  expect(await violations(page)).toEqual([])
})

test('the palette keeps the text that is typed while its code loads', async () => {
  const { page } = await browser.root('/templates')
  const typed = Promise.withResolvers<boolean>()
  await page.route('**/PaletteHost*.js', async (route) => {
    await typed.promise
    await route.continue()
  })
  await page.keyboard.press('Control+k')
  await page.keyboard.type('start quag')
  await page.keyboard.press('Backspace')
  typed.resolve(true)
  const field = page.getByRole('combobox', { name: 'Search and do' })
  await field.waitFor()
  await page.keyboard.type('y')
  expect(await field.inputValue()).toBe('start quay')

  await page.keyboard.press('Escape')
  await field.waitFor(gone)
  await page.keyboard.press('Control+k')
  expect(await field.inputValue()).toBe('')
})

test('root enters another tenant by name in the palette and leaves it', async () => {
  await ask('mutation ($i: CreateTenantInput!) { createTenant(input: $i) { tenant { id } } }', {
    name: 'Acme shipping',
    slug: 'acme',
    adminPassword: 'a long password of acme',
  })
  const { page } = await browser.root('/vms')
  await choose(page, 'acme', /^Act in Acme shipping/)
  await page.getByText('Acting in tenant Acme shipping as root').waitFor()
  await choose(page, 'leave', 'Leave Acme shipping')
  await page.getByText('Acting in tenant').waitFor(gone)
})
