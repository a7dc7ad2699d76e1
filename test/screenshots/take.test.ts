import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { aBrowser, soon } from '../support/browser/browser.ts'
import { withoutPrefetch } from '../support/browser/without-prefetch.ts'
import { aBuiltBerth } from '../support/browser/berth.ts'
import { seedTenant } from './seed-tenant.ts'

/*
 * These tests assert nothing. `vitest run --config test/vitest.config.ts --project screenshots`
 * retakes the pictures of the README. With a folder in BERTH_SHOTS it captures every page instead:
 * in each theme, width and language, with rows, empty, loading and failed.
 */
const docs = fileURLToPath(new URL('../../web/docs/screenshots', import.meta.url))
const captureFolder = process.env['BERTH_SHOTS']
const berth = await aBuiltBerth()
const browser = await aBrowser(berth.url)

const wide = { width: 1360, height: 860 }
const narrow = { width: 390, height: 844 }
const paths = [
  '/',
  '/vms',
  '/deploy',
  '/templates',
  '/ssh-keys',
  '/vpcs',
  '/networks',
  '/networks/public',
  '/security-groups',
  '/volumes',
  '/snapshots',
  '/snapshots?show=schedules',
  '/vm-snapshots',
  '/vm-snapshots?show=schedules',
  '/operations',
  '/playground',
  '/access',
  '/access?tab=roles',
  '/access?tab=keys',
  '/access?tab=audit',
  '/settings',
  '/tenants',
  '/offerings',
  '/cluster',
  '/nowhere',
]
const tabs = [
  'overview',
  'network',
  'storage',
  'logs',
  'console',
  'snapshots',
  'operations',
  'settings',
]
const vmPages = tabs.map((tab) => `/vms/orders-db?tab=${tab}`)
const openDialogs = [
  ...['vpcs', 'networks', 'volumes', 'security-groups', 'templates', 'ssh-keys', 'tenants'].map(
    (page) => `/${page}?new=1`,
  ),
  '/vm-snapshots?new=1',
  '/vm-snapshots?show=schedules&new=1',
  '/vms/orders-db?tab=console&console=vnc',
]
/** Views that no URL opens. */
const pressed: { name: string; path: string; press: (page: Page) => Promise<unknown> }[] = [
  { name: 'palette', path: '/', press: (page) => page.keyboard.press('Control+k') },
  { name: 'shortcuts', path: '/', press: (page) => page.keyboard.press('Control+/') },
  {
    name: 'menu-of-a-row',
    path: '/tenants',
    press: (page) => page.locator('tbody').getByRole('button').last().click(),
  },
  { name: 'chosen', path: '/vms', press: (page) => page.getByRole('checkbox').nth(2).check() },
  {
    name: 'operation',
    path: '/operations?show=failed',
    press: (page) => page.locator('main li a').first().click(),
  },
  {
    name: 'deletion',
    path: '/vms/search?tab=settings',
    press: (page) => page.locator('main').getByRole('button').last().click(),
  },
]
const nameOf = (path: string): string =>
  path.replaceAll(/\W+/g, '-').replace(/^-/, '') || 'overview'

/** Loads the page again, so that the end of its requests is known. */
async function goTo(page: Page, path: string): Promise<void> {
  await page.goto(path, { waitUntil: 'networkidle' })
  await page.locator('h1').first().waitFor()
  await expect.poll(() => page.locator('[aria-busy=true]').count(), soon).toBe(0)
}

const capture = (page: Page, folder: string, name: string) => {
  mkdirSync(folder, { recursive: true })
  return page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' })
}

test.runIf(captureFolder)(
  'the capture shows every page empty, loading and failed',
  async () => {
    const folder = captureFolder ?? ''
    const { page } = await browser.root('/settings')
    for (const path of paths) {
      await goTo(page, path)
      await capture(page, join(folder, 'empty'), nameOf(path))
    }
    browser.expects(/Failed to load|ERR_FAILED/)
    await withoutPrefetch(page)
    const reads = ({ operationName }: { operationName?: string }) => operationName !== 'Viewer'
    await page.route('**/graphql', (route) =>
      reads(route.request().postDataJSON() as object) ? new Promise(() => null) : route.continue(),
    ) // JSON
    for (const path of paths) {
      await page.goto(path)
      await page.locator('h1').first().waitFor()
      await capture(page, join(folder, 'loading'), nameOf(path))
    }
    await page.unroute('**/graphql')
    await page.route('**/graphql', (route) =>
      reads(route.request().postDataJSON() as object) ? route.abort() : route.continue(),
    ) // JSON
    for (const path of paths) {
      await goTo(page, path)
      await capture(page, join(folder, 'failed'), nameOf(path))
    }
  },
  300_000,
)

const views = [
  { name: 'light-wide', colorScheme: 'light', viewport: wide, language: 'en' },
  { name: 'dark-wide', colorScheme: 'dark', viewport: wide, language: 'en' },
  { name: 'light-narrow', colorScheme: 'light', viewport: narrow, language: 'en' },
  { name: 'dark-narrow', colorScheme: 'dark', viewport: narrow, language: 'en' },
  { name: 'portuguese', colorScheme: 'light', viewport: wide, language: 'pt-BR' },
  { name: 'portuguese-narrow', colorScheme: 'light', viewport: narrow, language: 'pt-BR' },
] as const

test.runIf(captureFolder).each(views)(
  'the capture shows every page with rows: $name',
  async ({ name, language, ...view }) => {
    await seedTenant(berth.url)
    const { page } = await browser.root('/settings', view)
    await page.evaluate(
      (chosen) => (document.cookie = `berth-language=${chosen}; path=/`),
      language,
    )
    await page.reload()
    const folder = join(captureFolder ?? '', name)
    for (const path of [...paths, ...vmPages, ...openDialogs]) {
      await goTo(page, path)
      await capture(page, folder, nameOf(path))
    }
    for (const { name: what, path, press } of pressed) {
      await goTo(page, path)
      await press(page)
      await page.locator('[role=dialog], [role=menu], [role=toolbar]').first().waitFor()
      await capture(page, folder, what)
    }
  },
  300_000,
)

const readmePictures = [
  { name: 'overview-light', path: '/', colorScheme: 'light' },
  { name: 'machines-light', path: '/vms', colorScheme: 'light' },
  { name: 'machine-dark', path: '/vms/orders-db', colorScheme: 'dark' },
  { name: 'deploy-dark', path: '/deploy', colorScheme: 'dark' },
  { name: 'vpcs-light', path: '/vpcs', colorScheme: 'light' },
  { name: 'network-light', path: '/vms/orders-db?tab=network', colorScheme: 'light' },
  { name: 'schedules-light', path: '/vm-snapshots?show=schedules', colorScheme: 'light' },
  { name: 'volumes-dark', path: '/volumes', colorScheme: 'dark' },
  { name: 'security-groups-light', path: '/security-groups', colorScheme: 'light' },
] as const

test.skipIf(captureFolder).each(readmePictures)(
  'the README picture $name is taken',
  async ({ name, path, colorScheme }) => {
    await seedTenant(berth.url)
    const { page } = await browser.root('/settings', { colorScheme, viewport: wide })
    await goTo(page, path)
    await capture(page, docs, name)
  },
)
