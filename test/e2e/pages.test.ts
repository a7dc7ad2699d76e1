import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { aBrowser, soon } from '../support/browser/browser.ts'
import { layoutOf, violations } from '../support/browser/accessibility.ts'
import { aBuiltBerth, rootPassword } from '../support/browser/berth.ts'
import { graphOf } from '../support/browser/root-client.ts'
import { gone, live } from '../support/browser/page.ts'
import { plainPages } from '../support/browser/plain-pages.ts'

const berth = await aBuiltBerth()
const browser = await aBrowser(berth.url)

/** The pages without parameters, and further addresses of pages. */
const titles: Readonly<Record<string, string>> = {
  ...Object.fromEntries(plainPages.map(({ path, title }) => [path, title])),
  '/operations?show=failed': 'Operations',
  '/access?tab=roles': 'Access',
  '/access?tab=keys': 'Access',
  '/access?tab=logins': 'Access',
  '/access?tab=audit': 'Access',
  '/tenants?search=nothing-like-it': 'Tenants',
  '/nowhere': 'Page not found',
  '/vms?search=nothing-like-it': 'Virtual machines',
  '/vms?search=db': 'Virtual machines',
  '/vms/db-1': 'Virtual machine',
  '/vms/db-1?tab=network': 'Virtual machine',
  '/vms/db-1?tab=storage': 'Virtual machine',
  '/vms/db-1?tab=logs': 'Virtual machine',
  '/vms/db-1?tab=console': 'Virtual machine',
  '/vms/db-1?tab=console&console=vnc': 'Virtual machine',
  '/vms/db-1?tab=snapshots': 'Virtual machine',
  '/vms/db-1?tab=operations': 'Virtual machine',
  '/vms/db-1?tab=settings': 'Virtual machine',
  '/vms/nowhere': 'Virtual machine',
  '/snapshots?show=schedules': 'Volume snapshots',
  '/vm-snapshots?show=schedules': 'VM snapshots',
}

const wide = { width: 1360, height: 860 }
const narrow = { width: 360, height: 780 }
const schemes = ['light', 'dark'] as const
const views = schemes.flatMap((colorScheme) =>
  [wide, narrow].map((viewport) => ({ colorScheme, viewport })),
)

/** Creates rows for the lists, so that more than empty pages are checked. */
beforeAll(async () => {
  const graph = await graphOf(berth.url)
  const ask = async (path: string, body: object | null, token = '') => {
    const headers = {
      'content-type': 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
    }
    const sent = body ? { method: 'POST', body: JSON.stringify(body) } : {}
    const answer = await fetch(`${berth.url}/api/v1${path}`, { ...sent, headers })
    if (!answer.ok)
      throw new Error(`${path} was answered with ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as { token: string; vm_templates: { id: string }[] }
  }
  const { token } = await ask('/auth/login', { username: 'root', password: rootPassword })
  await ask(
    '/tenants',
    {
      name: 'A tenant with quite a long name, as tenants have',
      slug: 'long-name',
      admin_password: rootPassword,
    },
    token,
  )
  const templates = (await ask('/vm-templates?filter=cirros', null, token)).vm_templates
  await ask('/vms', { name: 'db-1', template_id: templates[0]?.id }, token)
  await ask('/ssh-keys', { name: 'laptop' }, token)
  await ask(
    '/api-keys',
    { name: 'nightly', scopes: ['vms:read', 'vms:write', 'users:read'] },
    token,
  )
  const create =
    'mutation ($i: CreateVolumeInput!) { createVolume(input: $i, waitSeconds: 30) { volume { id } } }'
  const { volume } = (await graph(create, { name: 'a-volume-with-quite-a-long-name', sizeGi: 1 }))
    .createVolume
  const snapshot =
    'mutation ($i: CreateVolumeSnapshotInput!) { createVolumeSnapshot(input: $i, waitSeconds: 30) { operation { id } } }'
  await graph(snapshot, { volumeId: volume.id, name: 'first' })
  const schedule =
    'mutation ($i: CreateSnapshotScheduleInput!) { createSnapshotSchedule(input: $i) { snapshotSchedule { id } } }'
  await graph(schedule, { volumeId: volume.id, name: 'nightly', cron: '30 2 * * *', keep: 7 })
})

/** Navigates inside the console. A full load of each page would fetch all its scripts again. */
async function goTo(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState({}, '', to)
    dispatchEvent(new PopStateEvent('popstate', { state: {} }))
  }, path)
  await expect.poll(() => page.title(), soon).toBe(`${titles[path]} · Berth`)
  await page.locator('h1').first().waitFor()
  await expect.poll(() => page.locator('[aria-busy=true]').count(), soon).toBe(0)
}

async function faultsOf(page: Page, where: string): Promise<string[]> {
  const { headings, overhang, hidden } = await layoutOf(page)
  const found = await violations(page)
  if (headings !== 1) found.push(`${headings} headings of the first level`)
  if (overhang > 0) found.push(`${overhang} pixels too wide`)
  if (hidden > 0) found.push(`a table has ${hidden} pixels out of sight`)
  return found.map((fault) => `${where}: ${fault}`)
}

// Nothing is timed here, so two views run at once and use both cores.
test.each(schemes)(
  'every page is accessible and fits the screen: %s',
  { timeout: 180_000 },
  async (scheme) => {
    const found = await Promise.all(
      views.filter(({ colorScheme }) => colorScheme === scheme).map(faultsOfPages),
    )
    expect(found.flat()).toEqual([])
  },
)

async function faultsOfPages(view: (typeof views)[number]): Promise<string[]> {
  const { page, open, logIn } = await browser.someone(view)
  await open('/login')
  await page.getByRole('button', { name: 'Log in' }).waitFor()
  const found = await faultsOf(page, '/login')
  await open('/login?fault=oidc_denied')
  await page.getByRole('alert').waitFor()
  found.push(...(await faultsOf(page, '/login after a fault')))
  await logIn()
  await live(page)
  for (const path of Object.keys(titles)) {
    await goTo(page, path)
    found.push(...(await faultsOf(page, path)))
  }
  return found.map((fault) => `${view.viewport.width} wide, ${fault}`)
}

interface Opening {
  path: string
  button: string | RegExp
  /** The menu item to choose after the button opens a menu. */
  item?: string
}

const openings: readonly Opening[] = [
  { path: '/', button: /Switch tenant/ },
  { path: '/tenants', button: 'New tenant' },
  { path: '/tenants', button: /^A tenant with/ },
  { path: '/tenants', button: /Actions for A tenant/, item: 'Delete' },
  { path: '/offerings', button: 'New offering' },
  { path: '/volumes', button: 'New volume' },
  { path: '/volumes', button: /^a-volume/ },
  { path: '/volumes', button: /^Actions for a-volume/, item: 'Attach' },
  { path: '/volumes', button: /^Actions for a-volume/, item: 'Delete' },
  { path: '/snapshots', button: /^Actions for first/, item: 'Restore' },
  { path: '/vm-snapshots', button: 'New snapshot' },
  { path: '/snapshots?show=schedules', button: 'New schedule' },
  { path: '/snapshots?show=schedules', button: /^Actions for nightly/, item: 'Change' },
  { path: '/snapshots?show=schedules', button: 'nightly' },
  { path: '/vpcs', button: 'New VPC' },
  { path: '/vpcs', button: 'Add network' },
  { path: '/networks', button: 'default' },
  { path: '/security-groups', button: 'New group' },
  { path: '/security-groups', button: 'default' },
  { path: '/templates', button: 'New template' },
  { path: '/ssh-keys', button: 'New SSH key' },
  { path: '/ssh-keys', button: 'Delete laptop' },
  { path: '/vms', button: 'Actions for db-1', item: 'Delete' },
  { path: '/vms?search=db', button: 'Views', item: 'Save this view' },
  { path: '/vms/db-1?tab=storage', button: 'Attach volume' },
  { path: '/vms/db-1?tab=network', button: 'Attach network' },
  { path: '/vms/db-1?tab=snapshots', button: 'Take snapshot' },
  { path: '/vms/db-1?tab=snapshots', button: 'New schedule' },
  { path: '/vms/db-1?tab=settings', button: 'Delete machine' },
  { path: '/operations', button: /^Search$/ },
  { path: '/access', button: 'New user' },
  { path: '/access?tab=roles', button: 'New role' },
  { path: '/access?tab=keys', button: 'New API key' },
  { path: '/access?tab=keys', button: 'Revoke nightly' },
]

test(
  'every dialog is accessible, closes with Escape and returns the focus',
  { timeout: 180_000 },
  async () => {
    const some = views.filter(
      ({ colorScheme, viewport }) => (colorScheme === 'dark') === (viewport === narrow),
    )
    const found = await Promise.all(some.map(faultsOfDialogs))
    expect(found.flat()).toEqual([])
  },
)

async function faultsOfDialogs(view: (typeof views)[number]): Promise<string[]> {
  const { page, logIn } = await browser.someone(view)
  await logIn()
  await live(page)
  const found: string[] = []
  for (const { path, button, item } of openings.filter(
    ({ path }) => view.viewport === wide || path !== '/',
  )) {
    await goTo(page, path)
    const opener = page.getByRole('button', { name: button }).first()
    await opener.focus()
    await page.keyboard.press('Enter')
    if (item) await page.getByRole('menuitem', { name: item }).click()
    await page.getByRole('dialog').waitFor()
    const where = `${view.viewport.width} wide, ${path}, ${item ?? String(button)}`
    found.push(...(await violations(page)).map((fault) => `${where}: ${fault}`))
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor(gone)
    const isBack = () => opener.evaluate((element) => element === document.activeElement)
    await expect.poll(isBack, { message: `${where}: the focus returns`, timeout: 2000 }).toBe(true)
  }
  return found
}

const focused = (page: Page) =>
  page.evaluate(
    () =>
      document.activeElement?.textContent?.trim() ||
      document.activeElement?.getAttribute('aria-label'),
  )

test.each([
  { path: '/tenants', purpose: 'New tenant', within: 1 },
  { path: '/offerings', purpose: 'New offering', within: 1 },
  { path: '/volumes', purpose: 'New volume', within: 1 },
  { path: '/vms', purpose: 'Deploy machine', within: 1 },
  { path: '/deploy', purpose: 'Deploy machine', within: 40 },
  { path: '/access', purpose: 'New user', within: 4 },
  { path: '/playground', purpose: 'Run', within: 2 },
  { path: '/settings', purpose: 'Change password', within: 8 },
])(
  'the keyboard skips the menu and reaches “$purpose” in $within stops',
  async ({ path, purpose, within }) => {
    const { page } = await browser.root(path)
    await page.getByRole('button', { name: purpose }).waitFor()
    await page.locator('[aria-busy=true], [aria-disabled=true]').waitFor(gone)
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('Skip to content')
    await page.keyboard.press('Enter')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('content')
    const stops: unknown[] = []
    while (stops.length < within && stops.at(-1) !== purpose) {
      await page.keyboard.press('Tab')
      stops.push(await focused(page))
    }
    expect(stops).toContain(purpose)
  },
)

test('the keyboard can leave the editor of the playground', async () => {
  const { page } = await browser.root('/playground')
  const query = page.getByRole('textbox', { name: 'Query' })
  await query.focus()
  await page.keyboard.press('Tab')
  await expect
    .poll(() => query.evaluate((editor) => editor.contains(document.activeElement)), soon)
    .toBe(false)
})

test('a page change moves the focus to the heading', async () => {
  const { page } = await browser.root('/')
  await page.getByRole('link', { name: 'Operations', exact: true }).focus()
  await page.keyboard.press('Enter')
  const heading = page.getByRole('heading', { level: 1, name: 'Operations' })
  await heading.waitFor()
  await expect
    .poll(() => heading.evaluate((element) => element === document.activeElement), soon)
    .toBe(true)
})

test('the menu of a phone is behind a button and closes when a page is chosen', async () => {
  const { page, logIn } = await browser.someone({ viewport: narrow })
  await logIn()
  await page.getByRole('button', { name: 'Open the menu' }).click()
  const menu = page.getByRole('dialog', { name: 'Menu' })
  await menu.waitFor()
  expect(await violations(page)).toEqual([])
  await menu.getByRole('link', { name: 'Settings' }).click()
  await menu.waitFor(gone)
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
})
