import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { aBrowser, fillLogin, soon } from '../support/browser/browser.ts'
import { violations } from '../support/browser/accessibility.ts'
import { aBuiltBerth } from '../support/browser/berth.ts'
import { choose, gone, live, row } from '../support/browser/page.ts'

const berth = await aBuiltBerth()
const browser = await aBrowser(berth.url)

/** Creates a tenant in the dialog and returns the password that is shown once. */
async function createTenant(
  page: Page,
  name: string,
): Promise<{ slug: string; username: string; password: string }> {
  await page.getByRole('button', { name: 'New tenant' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name', { exact: true }).fill(name)
  const slug = await dialog.getByLabel('Slug').inputValue()
  await dialog.getByRole('button', { name: 'Create tenant' }).click()
  const handOver = page.getByRole('dialog', { name: 'Hand this over' })
  const password = await handOver.locator('code').last().innerText()
  const username = `${slug}-admin`
  await handOver.getByText(`${slug}/${username}`, { exact: true }).waitFor()
  return { slug, username, password }
}

test('a tenant that is created in one browser appears in another and becomes active there', async () => {
  const [writer, watcher] = await Promise.all([browser.root('/tenants'), browser.root('/tenants')])
  await createTenant(writer.page, 'Öresund Ferry & Co')
  await row(watcher.page, 'Öresund Ferry & Co').getByText('Active').waitFor()
  await watcher.page.getByText('berth-oresund-ferry-co').waitFor()
})

test('the slug follows the name until it is edited, and the first password is generated', async () => {
  const { page } = await browser.root('/tenants')
  await page.getByRole('button', { name: 'New tenant' }).first().click()
  const [name, slug] = [page.getByLabel('Name', { exact: true }), page.getByLabel('Slug')]
  await name.fill('Blå Båt')
  await expect.poll(() => slug.inputValue(), soon).toBe('bla-bat')
  await slug.fill('mine')
  await name.fill('Other')
  await expect.poll(() => name.inputValue(), soon).toBe('Other')
  expect(await slug.inputValue()).toBe('mine')
  expect(await page.getByLabel('Administrator’s password').inputValue()).toMatch(/^\S{16,}$/)
})

test('a form shows its errors at the fields, and shows a taken slug as the server reports it', async () => {
  const { page } = await browser.root('/tenants')
  await page.getByRole('button', { name: 'New tenant' }).first().click()
  const [name, slug] = [page.getByLabel('Name', { exact: true }), page.getByLabel('Slug')]
  const create = page.getByRole('button', { name: 'Create tenant' })
  await create.click()
  await page.getByText('Give it a name').waitFor()
  await expect
    .poll(() => name.evaluate((field) => field === document.activeElement), soon)
    .toBe(true)
  await name.fill('Again')
  await slug.fill('default')
  await create.click()
  await page.locator('[aria-invalid=true], [role=alert]').first().waitFor()
  expect(await name.inputValue()).toBe('Again')
})

test('the password of the first admin is shown once in a dialog that only its buttons close', async () => {
  const { page } = await browser.root('/tenants')
  const { password } = await createTenant(page, 'Once')
  await page.keyboard.press('Escape')
  await page.getByText(password).waitFor()
  await page.getByRole('button', { name: 'I have kept it' }).click()
  await page.getByText(password).waitFor(gone)
  await choose(page, { row: 'Once', item: 'Edit' })
  await page.getByRole('dialog', { name: 'Once' }).waitFor()
  expect(await page.content()).not.toContain(password)
})

test('a tenant is renamed, and a stale change of it is refused', async () => {
  const { page } = await browser.root('/tenants')
  await createTenant(page, 'Rename me')
  await page.getByRole('button', { name: 'I have kept it' }).click()
  await row(page, 'Rename me').getByText('Active').waitFor()
  const other = await browser.root('/tenants')
  await choose(other.page, { row: 'Rename me', item: 'Edit' })
  await choose(page, { row: 'Rename me', item: 'Edit' })
  await page.getByLabel('Name', { exact: true }).fill('Renamed')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved Renamed.').waitFor()
  await other.page.locator('tbody').getByText('Renamed').waitFor()
  await other.page.getByLabel('Description').fill('from a form that is old by now')
  await other.page.getByRole('button', { name: 'Save' }).click()
  await other.page.getByRole('dialog').getByRole('alert').waitFor()
  expect(await other.page.getByLabel('Description').inputValue()).toBe(
    'from a form that is old by now',
  )
})

test('a tenant admin sees only its own tenant and loses access when the tenant is deleted', async () => {
  const root = await browser.root('/tenants')
  const { username, password, slug } = await createTenant(root.page, 'Short lived')
  await root.page.getByRole('button', { name: 'I have kept it' }).click()
  const admin = await browser.someone()
  await admin.logIn(username, password)
  await live(admin.page)
  const menu = admin.page.getByRole('navigation', { name: 'Main' })
  await menu.getByRole('link', { name: 'Access' }).waitFor()
  expect(await menu.getByRole('link', { name: /Tenants|Offerings/ }).count()).toBe(0)
  expect(await admin.page.getByRole('button', { name: /Switch tenant/ }).count()).toBe(0)
  await admin.open('/tenants')
  await admin.page.getByRole('heading', { level: 1, name: 'Nothing is moored here' }).waitFor()
  await admin.open('/access')
  await row(admin.page, username).waitFor()
  expect(await admin.page.locator('tbody').getByRole('row').count()).toBe(1)

  browser.expects(/status of 40[13]/)
  await choose(root.page, { row: 'Short lived', item: 'Delete' })
  const dialog = root.page.getByRole('dialog')
  const confirm = dialog.getByRole('button', { name: 'Delete tenant' })
  expect(await confirm.getAttribute('aria-disabled')).toBe('true')
  await dialog.getByLabel(/Type/).fill(slug)
  await confirm.click()
  await row(root.page, 'Short lived').waitFor(gone)
  await admin.page.waitForURL(/\/login/)
  await fillLogin(admin.page, { username, password })
  await admin.page.getByRole('alert').waitFor()
})

test('root acts in a tenant under a banner that survives a reload, and leaves it', async () => {
  const { page } = await browser.root('/')
  await page.getByRole('button', { name: /Switch tenant/ }).click()
  await page.getByRole('searchbox', { name: 'Find a tenant' }).fill('oresund')
  await page
    .getByRole('list', { name: 'Tenants' })
    .getByRole('button', { name: /Öresund/ })
    .click()
  const banner = page.getByRole('complementary', { name: 'Acting tenant' })
  await banner.getByText('Öresund Ferry & Co').waitFor()
  expect(await violations(page)).toEqual([])
  await page.reload()
  await banner.waitFor()
  await page.getByRole('link', { name: 'Access' }).click()
  await page.getByRole('tab', { name: 'Audit log' }).click()
  await banner.getByRole('button', { name: 'Leave' }).click()
  await banner.waitFor(gone)
})

test('the audit log of a tenant shows actions of root inside it', async () => {
  const root = await browser.root('/tenants')
  const { username, password } = await createTenant(root.page, 'Watched')
  await root.page.getByRole('button', { name: 'I have kept it' }).click()
  await row(root.page, 'Watched').getByText('Active').waitFor()
  await choose(root.page, { row: 'Watched', item: 'Act in this tenant' })
  await root.page.getByRole('complementary', { name: 'Acting tenant' }).waitFor()
  await root.page.getByRole('link', { name: 'Access' }).click()
  await root.page.getByRole('button', { name: 'New user' }).click()
  await root.page.getByLabel('User name').fill('watched-guest')
  await root.page.getByLabel('Role', { exact: true }).selectOption({ label: 'tenant.viewer' })
  await root.page.getByRole('button', { name: 'Create user' }).click()
  await root.page.getByText('watched-guest can log in now').waitFor()
  const admin = await browser.someone()
  await admin.logIn(username, password)
  await admin.open('/access?tab=audit')
  const entry = row(admin.page, 'createUser').filter({ hasText: 'watched-guest' })
  await entry.getByText('platform', { exact: true }).waitFor()
})
