import { expect, test } from 'vitest'
import { aBrowser, fillLogin, soon } from '../support/browser/browser.ts'
import { aBuiltBerth, rootPassword } from '../support/browser/berth.ts'
import { gone, live } from '../support/browser/page.ts'

// Nothing listens on this port, so each login through the identity provider fails.
const yaml = 'security: { oidc: { issuer: "http://127.0.0.1:9", clientId: berth } }'
const berth = await aBuiltBerth({ yaml })
const browser = await aBrowser(berth.url)

const right = { username: 'root', password: rootPassword }

test('a wrong password shows an error and keeps the input, and the right one opens the overview', async () => {
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

test.each([
  {
    locale: 'en-US',
    reason: 'The identity provider does not answer as it should',
    remedy: 'Wait a moment and try again.',
    general: 'The login with your identity provider did not succeed.',
  },
  {
    locale: 'pt-PT',
    reason: 'O provedor de identidade não responde como devia',
    remedy: 'Aguarde um momento e tente de novo.',
    general: 'Não foi possível entrar pelo seu provedor de identidade.',
  },
])(
  'a failed login through the identity provider shows the reason and the remedy of the server: $locale',
  async ({ locale, reason, remedy, general }) => {
    const { page, open } = await browser.someone({ locale })
    await open('/login')
    await page.getByRole('link', { name: 'Single sign-on' }).click()
    const alert = page.getByRole('alert')
    await alert.getByText(reason).waitFor()
    await alert.getByText(remedy).waitFor()
    await page.reload()
    await alert.getByText(general).waitFor()
  },
)

test('a user who opens a page is taken there after the login', async () => {
  const { page, open } = await browser.someone()
  await open('/tenants?search=de')
  await page.waitForURL(/\/login\?/)
  await fillLogin(page, right)
  await page.getByRole('heading', { level: 1, name: 'Tenants' }).waitFor()
  expect(new URL(page.url()).search).toBe('?search=de')
})

test.each(['https://evil.example/', '//evil.example', '/\\evil.example'])(
  'a login never redirects to another site: %s',
  async (returnTo) => {
    const { page, open } = await browser.someone()
    await open(`/login?returnTo=${encodeURIComponent(returnTo)}`)
    await fillLogin(page, right)
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    expect(page.url()).toBe(`${berth.url}/`)
  },
)

test('a session survives a reload and is shared by two tabs, and logging out in one ends both', async () => {
  const session = await browser.someone()
  await session.logIn()
  await session.page.reload()
  await live(session.page)
  const other = await session.tab()
  await other.goto('/settings')
  await live(other)
  await session.page.getByRole('button', { name: /account of root/ }).click()
  await session.page.getByRole('menuitem', { name: 'Log out' }).click()
  await session.page.waitForURL('**/login')
  await other.waitForURL(/\/login/)
  await other.goto('/settings')
  await other.waitForURL(/\/login\?returnTo=\/settings/)
})

test('an access token is out of reach of scripts: storage, cookies and URL do not contain it', async () => {
  const { page, logIn } = await browser.someone()
  const answer = page.waitForResponse('**/auth/session')
  await logIn()
  await live(page)
  const { accessToken } = (await (await answer).json()) as { accessToken: string }
  const cookie = (await page.context().cookies()).find(({ name }) => name.endsWith('berth-refresh'))
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/' })
  const stored = await page.evaluate(async () => {
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
  expect(stored).toContain('"databases":[],"caches":[],"cookie":""')
  // Checks each part of the token, in case a script stores it in pieces.
  for (const secret of [...accessToken.split('.'), cookie?.value ?? '?'])
    expect(stored).not.toContain(secret)
})

test('the account menu works with the keyboard alone', async () => {
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
