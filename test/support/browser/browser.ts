import { type Browser, type BrowserContextOptions, type Page, chromium } from 'playwright-core'
import { afterAll, afterEach, expect } from 'vitest'
import { rootPassword } from './berth.ts'
import { live } from './page.ts'
import { chromiumArgs, ensureChromium } from './chromium.ts'

const patienceMs = 20_000
/** For polls: as patient as the locators are. */
export const soon = { timeout: patienceMs } as const

const desktop = { width: 1360, height: 860 }

/**
 * A browser with nobody in it yet. Whatever goes wrong on any page fails the test in which it
 * happens.
 */
export interface TestBrowser {
  /** Someone with a browser profile of their own, before the first page. */
  someone(options?: BrowserContextOptions): Promise<Person>
  /** Root, logged in, on a page that hears changes. */
  root(path: string, options?: BrowserContextOptions): Promise<Person>
  /** This test makes the browser say this and is right to. */
  expects(complaint: RegExp): void
}

export interface Person {
  readonly page: Page
  /** One more tab of the same profile. */
  tab(): Promise<Page>
  open(path: string): Promise<void>
  logIn(username?: string, password?: string): Promise<void>
}

export async function aBrowser(url: string): Promise<TestBrowser> {
  const browser = await chromium.launch({
    executablePath: await ensureChromium(),
    args: chromiumArgs,
  })
  const complaints: string[] = []
  let expected: RegExp[] = []
  afterEach(async () => {
    const unexpected = complaints
      .splice(0)
      .filter((complaint) => !expected.some((pattern) => pattern.test(complaint)))
    expected = []
    await Promise.all(browser.contexts().map((context) => context.close()))
    expect(unexpected, `what the browser complained about: ${unexpected.join('; ')}`).toEqual([])
  })
  afterAll(() => browser.close())
  const around = { browser, url, complain: (complaint: string) => complaints.push(complaint) }
  return {
    someone: (options = {}) => personIn(around, options),
    async root(path, options = {}) {
      const root = await personIn(around, options)
      // Not through the form: that has tests of its own, and takes a page load more.
      const headers = { 'x-berth-session': '1' }
      const answer = await root.page.request.post('/auth/session', {
        headers,
        data: { username: 'root', password: rootPassword },
      })
      if (!answer.ok()) throw new Error(`root cannot log in: ${await answer.text()}`)
      await root.open(path)
      await live(root.page)
      return root
    },
    expects: (complaint) => expected.push(complaint),
  }
}

interface Surroundings {
  browser: Browser
  url: string
  complain: (complaint: string) => void
}

async function personIn(around: Surroundings, options: BrowserContextOptions): Promise<Person> {
  const { browser, url } = around
  const context = await browser.newContext({
    baseURL: url,
    viewport: desktop,
    locale: 'en-GB',
    reducedMotion: 'reduce',
    ...options,
  })
  context.setDefaultTimeout(patienceMs)
  context.on('page', (page) => watch(page, around))
  const page = await context.newPage()
  const open = async (path: string) => void (await page.goto(path))
  return {
    page,
    open,
    tab: () => context.newPage(),
    async logIn(username = 'root', password = rootPassword) {
      await open('/login')
      await fillLogin(page, { username, password })
      await page.waitForURL((at) => at.pathname !== '/login')
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    },
  }
}

function watch(page: Page, { url, complain }: Surroundings): void {
  const { origin, host } = new URL(url)
  const isOurs = (target: string) =>
    [origin, `ws://${host}`].some((ours) => target === ours || target.startsWith(`${ours}/`))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()))
      complain(`${message.type()}: ${message.text()} (${message.location().url})`)
  })
  page.on('pageerror', (error) => complain(`thrown: ${error.message}`))
  page.on('crash', () => complain('the page crashed'))
  page.on('request', (request) => {
    if (!isOurs(request.url())) complain(`another origin: ${request.url()}`)
  })
  page.on('websocket', (socket) => {
    if (!isOurs(socket.url())) complain(`another origin: ${socket.url()}`)
  })
}

export async function fillLogin(
  page: Page,
  { username, password }: { username: string; password: string },
): Promise<void> {
  await page.getByLabel('User name').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
}
