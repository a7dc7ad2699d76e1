import { expect, test } from 'vitest'
import { aBrowser, soon } from '../support/browser/browser.ts'
import { withoutPrefetch } from '../support/browser/without-prefetch.ts'
import { violations } from '../support/browser/accessibility.ts'
import { aBuiltBerth } from '../support/browser/berth.ts'
import { gone, live, row } from '../support/browser/page.ts'

const berth = await aBuiltBerth()
const browser = await aBrowser(berth.url)

// The browser logs an error for each request to a server that is down.
const refused =
  /ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|ERR_SOCKET_NOT_CONNECTED|WebSocket connection/

test('a page stays open when Berth is killed, shows its age, and recovers when Berth is back', async () => {
  browser.expects(refused)
  const { page } = await browser.root('/tenants')
  await row(page, 'default').waitFor()
  // Hovering loads the dialog's code ahead of the click.
  await Promise.all([
    page.waitForResponse(/CreateTenantDialog/),
    page.getByRole('button', { name: 'New tenant' }).hover(),
  ])
  await page.getByRole('button', { name: 'New tenant' }).click()
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor(gone)
  await berth.kill()
  await page.getByRole('status').filter({ hasText: 'Reconnecting' }).waitFor()
  await page
    .getByRole('status')
    .filter({ hasText: /^Stale since/ })
    .waitFor({ timeout: 20_000 })
  await row(page, 'default').waitFor()
  expect(await violations(page)).toEqual([])

  await page.getByRole('button', { name: 'New tenant' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Typed in the dark')
  await page.getByRole('button', { name: 'Create tenant' }).click()
  await page.getByRole('dialog').getByRole('alert').waitFor()
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Typed in the dark')

  await berth.start()
  await page.getByRole('button', { name: 'Create tenant' }).click()
  await page.getByRole('button', { name: 'I have kept it' }).click()
  await row(page, 'Typed in the dark').getByText('Active').waitFor()
  await page.getByText(/^Live$/).waitFor({ timeout: 20_000 })
  await page.getByRole('alert').waitFor(gone)
})

test('a page that opens while Berth is down says so instead of showing a login, and recovers', async () => {
  browser.expects(/ERR_FAILED|Failed to load/)
  const { page } = await browser.root('/settings')
  // A reload while the WebSocket opens would log a warning in the browser.
  await live(page)
  const endpoints = ['**/auth/session/refresh', '**/graphql'] as const
  for (const endpoint of endpoints) await page.route(endpoint, (route) => route.abort())
  await page.reload()
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/settings')
  expect(await page.locator('h1').count()).toBe(1)
  expect(await violations(page)).toEqual([])
  for (const endpoint of endpoints) await page.unroute(endpoint)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
  await live(page)
})

test('a session survives a restart of Berth, and a reload needs no login', async () => {
  browser.expects(refused)
  const session = await browser.root('/operations')
  await berth.kill()
  await berth.start()
  await session.page.reload()
  await live(session.page)
  expect(new URL(session.page.url()).pathname).toBe('/operations')
})

test('a dialog whose code cannot be loaded shows an error and opens on the next click', async () => {
  browser.expects(/ERR_FAILED|Failed to (load|fetch)|dynamically imported/)
  const { page } = await browser.root('/volumes')
  await page.route('**/assets/CreateVolumeDialog-*', (route) => route.abort())
  const opener = page.getByRole('button', { name: 'New volume' }).first()
  await opener.click()
  await page.getByText('This part of the console could not be loaded').waitFor()
  await page.unroute('**/assets/CreateVolumeDialog-*')
  await opener.click()
  await page.getByRole('dialog', { name: 'New volume' }).waitFor()
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor(gone)
  await expect
    .poll(() => opener.evaluate((element) => element === document.activeElement), soon)
    .toBe(true)
})

test.each([
  { path: '/ssh-keys', empty: 'No SSH keys yet' },
  { path: '/vms', empty: 'No machines yet' },
  { path: '/vpcs', empty: 'No VPCs yet' },
  { path: '/operations', empty: 'No operations yet' },
  { path: '/deploy', empty: 'No template matches.' },
])('a list that cannot be read does not claim to be empty: $path', async ({ path, empty }) => {
  browser.expects(/ERR_FAILED|Failed to load/)
  const { page } = await browser.root('/settings')
  await withoutPrefetch(page)
  await page.route('**/graphql', (route) =>
    route.request().postData()?.includes('query Viewer') ? route.continue() : route.abort(),
  )
  await page.goto(path)
  await page.getByRole('alert').getByText('Berth did not answer').waitFor()
  expect(await page.getByText(empty).count()).toBe(0)
  expect(await page.getByText(/in all$/).count()).toBe(0)
  await page.unroute('**/graphql')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('alert').waitFor(gone)
})
