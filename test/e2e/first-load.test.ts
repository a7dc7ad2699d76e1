import { expect, test } from 'vitest'
import type { Page, Request } from 'playwright-core'
import { aBrowser } from '../support/browser/browser.ts'
import { withoutPrefetch } from '../support/browser/without-prefetch.ts'
import { aBuiltBerth } from '../support/browser/berth.ts'
import { graphOf } from '../support/browser/root-client.ts'

const berth = await aBuiltBerth()
const browser = await aBrowser(berth.url)

const pageAt = async (path: string, cookie = ''): Promise<string> =>
  (await fetch(berth.url + path, { headers: { cookie } })).text()
const hasFrame = (html: string): boolean => html.includes('data-session="yes"')

async function cookieOf(page: Page): Promise<string> {
  const [cookie] = await page.context().cookies()
  return `${cookie?.name ?? ''}=${cookie?.value ?? ''}`
}

test('the frame of the console comes with the page for a session, and not without one', async () => {
  const { page } = await browser.root('/settings')
  const cookie = await cookieOf(page)
  const html = await pageAt('/vms', cookie)
  expect(hasFrame(html)).toBe(true)
  expect(html, 'the page contains no credential').not.toContain(cookie.split('=')[1])
  expect(hasFrame(await pageAt('/vms'))).toBe(false)
  expect(hasFrame(await pageAt('/vms', `${cookie}x`)), 'a forged cookie').toBe(false)
  expect(hasFrame(await pageAt('/login', cookie)), 'a page without the frame').toBe(false)
})

test('a page is rendered in the theme and language of its cookies, and ignores other cookie values', async () => {
  const begins = async (cookie: string) => /<html[^]*?>/.exec(await pageAt('/vms', cookie))?.[0]
  expect(await begins('')).toBe('<html lang="en" data-session="no">')
  expect(await begins('berth-theme=dark; other=1; berth-language=pt-BR')).toBe(
    '<html lang="en" data-session="no" data-theme="dark" data-language="pt-BR">',
  )
  expect(await begins('berth-theme=dark"><script>; berth-visits=no')).toBe(
    '<html lang="en" data-session="no">',
  )
  const { page } = await browser.root('/settings')
  await page.getByRole('radio', { name: 'Dark' }).check()
  await page.reload({ waitUntil: 'commit' })
  await page.locator('html[data-session=yes][data-theme=dark]').waitFor()
  await page.getByRole('radio', { name: 'Dark', checked: true }).waitFor()
})

test('a page runs only the inline scripts that its policy names', async () => {
  const answer = await fetch(`${berth.url}/vms`)
  const policy = answer.headers.get('content-security-policy') ?? ''
  const inline = (await answer.text()).match(/<script>/g) ?? []
  expect(inline.length).toBeGreaterThan(0)
  expect(/script-src ([^;]*)/.exec(policy)?.[1]).toMatch(
    new RegExp(`^'self'( 'sha256-[\\w+/=]+'){${inline.length}}$`),
  )
})

// The console always sends an object with an operation name.
const nameOf = (request: Request): string =>
  (request.postDataJSON() as { operationName?: string }).operationName ?? ''

/** Collects the GraphQL operations that the page sends itself, apart from the session refresh. */
function operationsOf(page: Page): string[] {
  const operations: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/graphql')) operations.push(nameOf(request))
  })
  return operations
}

test('the VMs come with the session refresh before the console code, and are shown from that answer', async () => {
  const { page } = await browser.root('/settings')
  const hasCome = Promise.withResolvers<string>()
  await page.route('**/assets/start-*.js', async (route) => {
    await hasCome.promise
    await route.continue()
  })
  page.on('response', async (response) => {
    if (response.url().endsWith('/auth/session/refresh')) hasCome.resolve(await response.text())
  })
  const operations = operationsOf(page)
  await page.goto('/vms', { waitUntil: 'commit' })
  const [, viewer, vms] = (await hasCome.promise)
    .split('\n')
    .map((line): unknown => JSON.parse(line))
  expect([viewer, vms]).toEqual([
    { data: expect.objectContaining({ viewer: expect.anything() }) },
    { data: expect.anything() },
  ])
  await page.getByText('No machines yet').waitFor()
  // A section below the table asks after the first frame.
  expect(operations.filter((name) => name !== 'UnmanagedVms')).toEqual([])
})

test('a page opens normally when no data comes with the session refresh', async () => {
  const { page } = await browser.root('/settings')
  await withoutPrefetch(page)
  const operations = operationsOf(page)
  await page.goto('/vms')
  await page.getByText('No machines yet').waitFor()
  expect(operations.slice(0, 2)).toEqual(['Viewer', 'Vms'])
})

test('a change after the first read is shown, although the socket was not open yet', async () => {
  const { page } = await browser.root('/settings')
  const isChanged = Promise.withResolvers<true>()
  await page.routeWebSocket('**/graphql', async (socket) => {
    await isChanged.promise
    socket.connectToServer()
  })
  const ask = await graphOf(berth.url)
  const create =
    'mutation ($i: CreateServiceOfferingInput!) { createServiceOffering(input: $i) { serviceOffering { id } } }'
  const { serviceOffering } = (await ask(create, { name: 'early', cpu: 1, memoryMi: 512 }))
    .createServiceOffering
  await page.goto('/offerings')
  await page.getByRole('row', { name: 'early' }).waitFor()
  const update =
    'mutation ($i: UpdateServiceOfferingInput!) { updateServiceOffering(input: $i) { serviceOffering { id } } }'
  await ask(update, { id: serviceOffering.id, displayName: 'Changed' })
  isChanged.resolve(true)
  await page.getByRole('row', { name: 'Changed' }).waitFor()
})
