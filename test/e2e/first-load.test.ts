import { expect, test } from 'vitest'
import type { Page, Request } from 'playwright-core'
import { aBrowser } from '../support/browser.ts'
import { aBuiltBerth } from '../support/browser-berth.ts'

const berth = await aBuiltBerth()
const browser = await aBrowser(berth.url)

const pageAt = async (path: string, cookie = ''): Promise<string> => (await fetch(berth.url + path, { headers: { cookie } })).text()
const isFramed = (html: string): boolean => html.includes('data-session="yes"')

async function cookieOf(page: Page): Promise<string> {
  const [cookie] = await page.context().cookies()
  return `${cookie?.name ?? ''}=${cookie?.value ?? ''}`
}

// What the console sends is an object with a name.
const nameOf = (request: Request): string => (request.postDataJSON() as { operationName?: string }).operationName ?? ''

test('the frame of the console is there at once for who brings a session, and for nobody else', async () => {
  const { page } = await browser.root('/settings')
  const cookie = await cookieOf(page)
  const html = await pageAt('/vms', cookie)
  expect(isFramed(html)).toBe(true)
  expect(html, 'nothing that opens anything is in a page').not.toContain(cookie.split('=')[1])
  expect(isFramed(await pageAt('/vms'))).toBe(false)
  expect(isFramed(await pageAt('/vms', `${cookie}x`)), 'made up').toBe(false)
  expect(isFramed(await pageAt('/login', cookie)), 'a page without the frame').toBe(false)
})

test('a page runs no script of its own but those that its policy names', async () => {
  const answer = await fetch(`${berth.url}/vms`)
  const policy = answer.headers.get('content-security-policy') ?? ''
  const inline = (await answer.text()).match(/<script>/g) ?? []
  expect(inline.length).toBeGreaterThan(0)
  expect(/script-src ([^;]*)/.exec(policy)?.[1]).toMatch(new RegExp(`^'self'( 'sha256-[\\w+/=]+'){${inline.length}}$`))
})

test('machines are asked for before the console is there, once, and shown from that answer', async () => {
  const { page } = await browser.root('/settings')
  const hasCome = Promise.withResolvers<string>()
  const asked: string[] = []
  await page.route('**/assets/start-*.js', async (route) => {
    await hasCome.promise
    await route.continue()
  })
  await page.route('**/graphql', (route) => {
    asked.push(nameOf(route.request()))
    // What is asked again is never answered.
    if (asked.filter((name) => name === nameOf(route.request())).length === 1) void route.continue()
  })
  page.on('response', (response) => {
    if (response.url().endsWith('/graphql') && nameOf(response.request()) === 'Vms') hasCome.resolve('Vms')
  })
  await page.goto('/vms', { waitUntil: 'commit' })
  await hasCome.promise
  expect(asked.toSorted()).toEqual(['Viewer', 'Vms'])
  await page.getByText('No machines yet').waitFor()
})

test('a page opens as ever where nothing that was begun early has come', async () => {
  const { page } = await browser.root('/settings')
  browser.expects(/status of 503|Failed to load/)
  const failed = new Set<string>()
  await page.route('**/graphql', (route) => {
    const name = nameOf(route.request())
    if (failed.has(name)) return route.continue()
    failed.add(name)
    return route.fulfill({ status: 503, json: { errors: [{ message: 'away', extensions: { code: 'unavailable' } }] } })
  })
  await page.goto('/vms')
  await page.getByText('No machines yet').waitFor()
  expect([...failed].toSorted()).toEqual(expect.arrayContaining(['Viewer', 'Vms']))
})
