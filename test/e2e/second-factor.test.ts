import { type Locator, type Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { aBuiltBerth, rootPassword } from '../support/browser/berth.ts'
import { violations } from '../support/browser/accessibility.ts'
import { aBrowser, fillLogin, soon } from '../support/browser/browser.ts'
import { gone } from '../support/browser/page.ts'
import { codeOf } from '../support/clients/authenticator.ts'
import { Wire } from '../support/clients/http-client.ts'

const berth = await aBuiltBerth()
const browser = await aBrowser(berth.url)
const password = 'a password of a tenant'
const admin = { username: 'first-admin', password }
const other = { username: 'second-admin', password }

beforeAll(async () => {
  const wire = new Wire(() => berth.url)
  const { token } = (
    await wire.send('POST', '/api/v1/auth/login', {
      body: { username: 'root', password: rootPassword },
    })
  ).body
  for (const slug of ['first', 'second'])
    await wire.client(token).rest('POST', '/tenants', { body: { slug, admin_password: password } })
  wire.close()
})

/** Goes through the steps of setting up, and returns the secret and the recovery codes. */
async function setUp(page: Page, within: Page | Locator = page) {
  await within.getByLabel('Your password').fill(password)
  await within.getByRole('button', { name: 'Continue' }).click()
  await within.getByRole('img', { name: 'QR code with the secret' }).waitFor()
  const secret = (await within.getByText(/^[A-Z2-7]{32}$/).textContent()) ?? ''
  const code = within.getByLabel('Code', { exact: true })
  await isFocused(code)
  expect(await violations(page)).toEqual([])
  await code.fill('000000')
  await within.getByRole('button', { name: 'Confirm' }).click()
  await within.getByText(/is wrong or was used already/).waitFor()
  await code.fill(codeOf(secret))
  await within.getByRole('button', { name: 'Confirm' }).click()
  const list = within.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await list.first().waitFor()
  const recoveryCodes = await list.allTextContents()
  expect(recoveryCodes).toHaveLength(10)
  expect(await violations(page)).toEqual([])
  await within.getByRole('button', { name: 'I have stored them' }).click()
  return { secret, recoveryCodes }
}

const isFocused = (field: Locator) =>
  expect
    .poll(() => field.evaluate((element) => element === document.activeElement), soon)
    .toBe(true)

async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: `account of ${admin.username}` }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.waitForURL(/\/login/)
}

const isOn = (page: Page, left: number) => page.getByText(`${left} recovery codes left`).waitFor()

test('a user sets up an app, logs in with its code and a recovery code, and removes it', async () => {
  // A login without a code, and with a wrong one.
  browser.expects(/status of 401/)
  const { page, open } = await browser.someone()
  await open('/settings')
  await fillLogin(page, admin)
  await page.getByRole('button', { name: 'Set up a second factor' }).click()
  const dialog = page.getByRole('dialog', { name: 'Set up a second factor' })
  const { secret, recoveryCodes } = await setUp(page, dialog)
  await dialog.waitFor(gone)
  await isOn(page, 10)

  await logOut(page)
  await fillLogin(page, admin)
  const code = page.getByLabel('Code', { exact: true })
  await code.waitFor()
  await isFocused(code)
  expect(await code.getAttribute('autocomplete')).toBe('one-time-code')
  expect(await violations(page)).toEqual([])
  await code.fill('000000')
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await page
    .getByRole('alert')
    .getByText(/The code is wrong/)
    .waitFor()
  await code.fill(codeOf(secret, 1))
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()

  await logOut(page)
  await fillLogin(page, admin)
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await page.getByLabel('Recovery code').fill(recoveryCodes[0]?.toLowerCase() ?? '')
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()

  await open('/settings')
  await isOn(page, 9)
  await page.getByRole('button', { name: 'New recovery codes' }).click()
  const renewal = page.getByRole('dialog', { name: 'New recovery codes' })
  await renewal.getByLabel('Your password').fill(password)
  await renewal.getByLabel('Code', { exact: true }).fill(recoveryCodes[1] ?? '')
  await renewal.getByRole('button', { name: 'Make new codes' }).click()
  await renewal.getByRole('listitem').first().waitFor()
  const renewed = await renewal.getByRole('listitem').allTextContents()
  await renewal.getByRole('button', { name: 'I have stored them' }).click()
  await isOn(page, 10)
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  const removal = page.getByRole('dialog', { name: 'Remove the second factor' })
  await removal.getByLabel('Your password').fill(password)
  await removal.getByLabel('Code', { exact: true }).fill(renewed[0] ?? '')
  await removal.getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByText('The second factor is removed.').waitFor()
  await page.getByRole('button', { name: 'Set up a second factor' }).waitFor()
})

test('an admin requires a second factor, must set it up to go on, and cannot remove it', async () => {
  // The page Access reads its lists again while its user can only set up a second factor.
  browser.expects(/status of 403/)
  const { page, open } = await browser.someone()
  await open('/access')
  await fillLogin(page, other)
  await page.getByRole('switch', { name: 'Require a second factor' }).click()
  await page.getByRole('heading', { level: 1, name: 'Set up a second factor' }).waitFor()
  await open('/vms')
  await page.waitForURL('**/second-factor?returnTo=/vms')
  await setUp(page)
  await page.getByRole('heading', { level: 1, name: 'Virtual machines' }).waitFor()
  await open('/settings')
  await isOn(page, 10)
  const remove = page.getByRole('button', { name: 'Remove', exact: true })
  expect(await remove.getAttribute('aria-disabled')).toBe('true')
  await open('/access')
  await page.getByText('with a second factor').waitFor()
  expect(await violations(page)).toEqual([])
})
