import { expect, test } from 'vitest'
import { aBrowser, fillLogin, soon } from '../support/browser/browser.ts'
import { aBuiltBerth, rootPassword } from '../support/browser/berth.ts'
import { gone, live } from '../support/browser/page.ts'

const berth = await aBuiltBerth()
const browser = await aBrowser(berth.url)

const right = { username: 'root', password: rootPassword }

test('a wrong password is refused in words, keeps what was typed, and the right one opens the overview', async () => {
  browser.expects(/status of 401/)
  const { page, open } = await browser.someone()
  await open('/')
  await page.waitForURL('**/login')
  await fillLogin(page, { ...right, password: 'not the password' })
  await page.getByRole('alert').waitFor()
  expect(await page.getByLabel('User name').inputValue()).toBe('root')
  expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe('not the password')
  await fillLogin(page, right)
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/')
})

test('who was on the way to a page is taken there after the login', async () => {
  const { page, open } = await browser.someone()
  await open('/tenants?search=de')
  await page.waitForURL(/\/login\?/)
  await fillLogin(page, right)
  await page.getByRole('heading', { level: 1, name: 'Tenants' }).waitFor()
  expect(new URL(page.url()).search).toBe('?search=de')
})

test.each(['https://evil.example/', '//evil.example', '/\\evil.example'])(
  'a login leads nowhere outside: %s',
  async (returnTo) => {
    const { page, open } = await browser.someone()
    await open(`/login?returnTo=${encodeURIComponent(returnTo)}`)
    await fillLogin(page, right)
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    expect(page.url()).toBe(`${berth.url}/`)
  },
)

test('a session survives a reload and is shared by two tabs; logging out in one ends both', async () => {
  const someone = await browser.someone()
  await someone.logIn()
  await someone.page.reload()
  await live(someone.page)
  const other = await someone.tab()
  await other.goto('/settings')
  await live(other)
  await someone.page.getByRole('button', { name: /account of root/ }).click()
  await someone.page.getByRole('menuitem', { name: 'Log out' }).click()
  await someone.page.waitForURL('**/login')
  await other.waitForURL(/\/login/)
  await other.goto('/settings')
  await other.waitForURL(/\/login\?returnTo=\/settings/)
})

test('no script can read a token: not in storage, not in a cookie, not in the address', async () => {
  const { page, logIn } = await browser.someone()
  const answer = page.waitForResponse('**/auth/session')
  await logIn()
  await live(page)
  const { accessToken } = (await (await answer).json()) as { accessToken: string }
  const cookie = (await page.context().cookies()).find(({ name }) => name.endsWith('berth-refresh'))
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/' })
  const kept = await page.evaluate(async () => {
    const databases = await indexedDB.databases()
    const caches = await globalThis.caches.keys()
    return JSON.stringify({
      ...localStorage,
      ...sessionStorage,
      databases,
      caches,
      cookie: document.cookie,
      at: location.href,
    })
  })
  expect(kept).toContain('"databases":[],"caches":[],"cookie":""')
  // Each part of the token, should somebody keep it in pieces.
  for (const secret of [...accessToken.split('.'), cookie?.value ?? '?'])
    expect(kept).not.toContain(secret)
})

test('the menu of the account is worked with the keyboard alone', async () => {
  const { page, logIn } = await browser.someone()
  await logIn()
  const menu = page.getByRole('button', { name: /account of root/ })
  await menu.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Dark theme' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('menu').waitFor(gone)
  await expect
    .poll(() => menu.evaluate((button) => button === document.activeElement), soon)
    .toBe(true)
  await page.keyboard.press('Enter')
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.closest('[role=menu]') !== null), soon)
    .toBe(true)
  await page.keyboard.type('Dark')
  await page.keyboard.press('Enter')
  await page.locator('html[data-theme=dark]').waitFor()
  await page.reload()
  await page.locator('html[data-theme=dark]').waitFor()
})
