import { expect, test } from 'vitest'
import { aBrowser, fillLogin } from '../support/browser/browser.ts'
import { violations } from '../support/browser/accessibility.ts'
import { aBuiltBerth, rootPassword } from '../support/browser/berth.ts'
import { gone } from '../support/browser/page.ts'

const berth = await aBuiltBerth()
const browser = await aBrowser(berth.url)

test('an operation is followed step by step in a drawer that has its own URL', async () => {
  const { page } = await browser.root('/tenants')
  await page.getByRole('button', { name: 'New tenant' }).first().click()
  await page.getByLabel('Name', { exact: true }).fill('Followed')
  await page.getByRole('button', { name: 'Create tenant' }).click()
  await page.getByRole('button', { name: 'Watch it being created' }).click()
  const drawer = page.getByRole('dialog', { name: 'Create tenant' })
  const steps = drawer.getByRole('list', { name: 'Steps' }).getByRole('listitem')
  await steps.first().waitFor()
  await drawer.getByText('Done', { exact: true }).first().waitFor()
  expect(await steps.count()).toBeGreaterThan(1)
  await drawer.getByText('Asked by').waitFor()
  expect(await violations(page)).toEqual([])
  await page.reload()
  await drawer.getByText('tenant followed').or(drawer.getByText('Followed')).first().waitFor()
  await page.keyboard.press('Escape')
  await drawer.waitFor(gone)
  expect(page.url()).not.toContain('operation=')
})

test('the list of operations links to each operation, and a filter without matches shows a message', async () => {
  const { page } = await browser.root('/operations')
  await page
    .getByRole('link', { name: /Create tenant/ })
    .first()
    .click()
  await page.getByRole('dialog', { name: 'Create tenant' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('radio', { name: 'Failed' }).check()
  await page.getByRole('link', { name: /Create tenant/ }).waitFor(gone)
  await page.getByText('None of this kind').waitFor()
})

test('an operation that does not exist shows a message', async () => {
  const { page, open } = await browser.root('/')
  await open('/?operation=0192f0aa-0000-7000-8000-000000000000')
  await page.getByText('No such operation').waitFor()
})

test('a password change needs the current password and ends every session', async () => {
  browser.expects(/status of 401/)
  const newPassword = 'a much newer password'
  const { page } = await browser.root('/settings')
  const other = await browser.root('/operations')
  const change = async (current: string, repeated = newPassword) => {
    await page.getByLabel('Current password').fill(current)
    await page.getByLabel('New password', { exact: true }).fill(newPassword)
    await page.getByLabel('New password again').fill(repeated)
    await page.getByRole('button', { name: 'Change password' }).click()
  }
  await change(rootPassword, 'something else')
  await page.getByText('The two are not the same').waitFor()
  await change('not it')
  await page.locator('[aria-invalid=true]').waitFor()
  await change(rootPassword)
  await page.getByText('Your password is changed.').waitFor()
  await page.waitForURL('**/login?returnTo=/settings')
  await other.page.waitForURL('**/login?returnTo=/operations')
  await fillLogin(page, { username: 'root', password: rootPassword })
  await page.getByRole('alert').waitFor()
  await fillLogin(page, { username: 'root', password: newPassword })
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
})
