import { type Browser, type BrowserContextOptions, type Page, chromium } from 'playwright-core'
import { afterAll, afterEach, expect } from 'vitest'
import { rootPassword } from './berth.ts'
import { live } from './page.ts'
import { chromiumArgs, ensureChromium, findTestBrowser } from './chromium.ts'

const patienceMs = 20_000
/** The timeout for polls, which equals the one of locators. */
export const soon = { timeout: patienceMs } as const

const desktop = { width: 1360, height: 860 }

/** A browser without a session. An error on any page fails the test in which it happens. */
export interface TestBrowser {
  /** Opens a new browser profile that is not logged in. */
  someone(options?: BrowserContextOptions): Promise<Person>
  /** Opens a new profile that is logged in as root, on a page with a live subscription. */
  root(path: string, options?: BrowserContextOptions): Promise<Person>
  /** Allows console messages of this pattern in the current test. */
  expects(complaint: RegExp): void
}

/** A browser profile, in which one user is logged in at most. */
export interface Person {
  readonly page: Page
  /** Opens another tab of the same profile. */
  tab(): Promise<Page>
  open(path: string): Promise<void>
  logIn(username?: string, password?: string): Promise<void>
}

/** Starts a browser for the tests of a file. It closes after the last one. */
export async function aBrowser(url: string): Promise<TestBrowser> {
  const browser = await chromium.launch({
    executablePath: findTestBrowser() ?? (await ensureChromium()),
    args: chromiumArgs,
  })
  const complaints: string[] = []
  let expected: RegExp[] = []
  afterEach(async ({ task }) => {
    const [failure] = task.result?.errors ?? []
    if (failure) failure.message += await pagesOf(browser)
    const unexpected = complaints
      .splice(0)
      .filter((complaint) => !expected.some((pattern) => pattern.test(complaint)))
    expected = []
    await Promise.all(browser.contexts().map((context) => context.close()))
    expect(unexpected, `unexpected browser errors: ${unexpected.join('; ')}`).toEqual([])
  })
  afterAll(() => browser.close())
  const browserContext = {
    browser,
    url,
    complain: (complaint: string) => complaints.push(complaint),
  }
  return {
    someone: (options = {}) => personIn(browserContext, options),
    async root(path, options = {}) {
      const root = await personIn(browserContext, options)
      // The login form has tests of its own and takes another page load, so this skips it.
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

/** Describes what the pages show, so that a failure can be understood without the browser. */
async function pagesOf(browser: Browser): Promise<string> {
  const pages = browser.contexts().flatMap((context) => context.pages())
  const shown = await Promise.all(
    pages.map(async (page) => {
      const dialog = page.getByRole('dialog').first()
      const part = (await dialog.isVisible()) ? dialog : page.getByRole('main')
      const content = await part.ariaSnapshot({ timeout: 5_000 }).catch(String)
      return `\n${page.url()}:\n${content.slice(0, 2_000)}`
    }),
  )
  return shown.join('')
}

interface BrowserSetup {
  browser: Browser
  url: string
  complain: (complaint: string) => void
}

async function personIn(
  browserContext: BrowserSetup,
  options: BrowserContextOptions,
): Promise<Person> {
  const { browser, url } = browserContext
  const context = await browser.newContext({
    baseURL: url,
    viewport: desktop,
    locale: 'en-GB',
    reducedMotion: 'reduce',
    ...options,
  })
  context.setDefaultTimeout(patienceMs)
  context.on('page', (page) => watch(page, browserContext))
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

function watch(page: Page, { url, complain }: BrowserSetup): void {
  const { origin, host } = new URL(url)
  const isOwnOrigin = (target: string) =>
    [origin, `ws://${host}`].some((own) => target === own || target.startsWith(`${own}/`))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()))
      complain(`${message.type()}: ${message.text()} (${message.location().url})`)
  })
  page.on('pageerror', (error) => complain(`thrown: ${error.message}`))
  page.on('crash', () => complain('the page crashed'))
  page.on('request', (request) => {
    if (!isOwnOrigin(request.url())) complain(`another origin: ${request.url()}`)
  })
  page.on('websocket', (socket) => {
    if (!isOwnOrigin(socket.url())) complain(`another origin: ${socket.url()}`)
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
