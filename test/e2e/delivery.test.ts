import { request } from 'node:http'
import { gzipSync } from 'node:zlib'
import type { Response } from 'playwright-core'
import { expect, test } from 'vitest'
import { aBrowser } from '../support/browser/browser.ts'
import { aBuiltBerth } from '../support/browser/berth.ts'
import { plainPages } from '../support/browser/plain-pages.ts'
import { gone, live } from '../support/browser/page.ts'

const berth = await aBuiltBerth()
const browser = await aBrowser(berth.url)

const maxScriptBytes = 130_000
const maxStyleBytes = 10_000
const maxVmListBytes = 220_000

test('the login and the overview load at most 130 kB of script, both as transferred and gzipped', async () => {
  const { page, logIn } = await browser.someone()
  const answers: Response[] = []
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') answers.push(response)
  })
  await logIn()
  await live(page)
  const scripts = await Promise.all(
    answers.map(async (answer) => ({
      path: new URL(answer.url()).pathname,
      ...(await sizesOf(answer)),
    })),
  )
  const table = scripts
    .map(({ path, travelled, gzipped }) => `${travelled} ${gzipped} ${path}`)
    .join('\n')
  expect(scripts.length, 'the page has loaded scripts').toBeGreaterThan(3)
  expect(table, 'the playground editor is loaded on demand').not.toContain('Playground')
  for (const size of ['travelled', 'gzipped'] as const) {
    const total = scripts.reduce((sum, script) => sum + script[size], 0)
    expect(total, `${size}\n${table}`).toBeLessThanOrEqual(maxScriptBytes)
  }
})

const firstPages = [
  ...plainPages.map(({ path }) => path),
  '/vms/db-1',
  '/snapshots?show=schedules',
  '/vm-snapshots?show=schedules',
  '/access?tab=audit',
  '/nowhere',
]
  // The playground needs its editor at once.
  .map((path) => ({ path, maxKb: path === '/playground' ? 295 : 130 }))

test.each(firstPages)(
  '$path loads at most $maxKb kB of script as the first page, and no dialog before it is opened',
  async ({ path, maxKb }) => {
    const { page } = await browser.root('/settings')
    const answers: Response[] = []
    page.on('response', (response) => answers.push(response))
    // A route handler disables the HTTP cache of the browser.
    await page.route('**/*', (route) => route.continue())
    await page.goto(path)
    await live(page)
    await page.locator('[aria-busy=true]').waitFor(gone)
    const parts = await Promise.all(
      answers.map(async (answer) => ({
        type: answer.request().resourceType(),
        path: new URL(answer.url()).pathname,
        gzipped: gzipSync(await answer.body().catch(() => '')).length,
      })),
    )
    const table = parts.map(({ gzipped, type, path }) => `${gzipped} ${type} ${path}`).join('\n')
    const total = (type?: string) =>
      parts
        .filter((part) => !type || part.type === type)
        .reduce((sum, { gzipped }) => sum + gzipped, 0)
    expect(table, 'consoles are loaded on demand').not.toMatch(/Console/)
    expect(table, 'dialogs are loaded on demand').not.toMatch(/dialog|drawer/i)
    expect(total('script'), table).toBeGreaterThan(50_000)
    expect(total('script'), table).toBeLessThanOrEqual(maxKb * 1_000)
    expect(total('stylesheet'), table).toBeLessThanOrEqual(maxStyleBytes)
    if (path === '/vms') expect(total(), table).toBeLessThanOrEqual(maxVmListBytes)
  },
)

async function sizesOf(answer: Response): Promise<{ travelled: number; gzipped: number }> {
  return {
    travelled: Number(answer.headers()['content-length']),
    gzipped: gzipSync(await answer.body()).length,
  }
}

interface HttpAnswer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: string
}

/** Sends a request without fetch, which would not send TRACE or an Origin header. */
function call(
  method: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<HttpAnswer> {
  return new Promise((done, failed) => {
    const sent = request(berth.url + path, { method, headers }, (answer) => {
      let body = ''
      answer.setEncoding('utf8').on('data', (text: string) => (body += text))
      answer.on('end', () =>
        done({ status: answer.statusCode ?? 0, headers: answer.headers, body }),
      )
    })
    sent.setTimeout(10_000, () => sent.destroy(new Error(`no answer to ${method} ${path}`)))
    sent.once('error', failed)
    sent.end()
  })
}

const scriptPath = async (): Promise<string> =>
  /src="(\/assets\/[^"]+\.js)"/.exec((await call('GET', '/')).body)?.[1] ?? '/no-script-in-the-page'

test.each([
  { what: 'the start page', path: () => '/', status: 200 },
  { what: 'a page of the console', path: () => '/tenants', status: 200 },
  { what: 'a script', path: scriptPath, status: 200 },
  { what: 'a missing script', path: () => '/assets/none.js', status: 404 },
  { what: 'the API', path: () => '/api/v1/tenants', status: 401 },
  { what: 'a missing route of the API', path: () => '/api/v1/none', status: 404 },
  { what: 'GraphQL', path: () => '/graphql', status: null },
  { what: 'the session endpoint', path: () => '/auth/methods', status: 200 },
  { what: 'the health endpoint', path: () => '/readyz', status: 200 },
])('$what is sent with strict security headers', async ({ path, status }) => {
  const answer = await call('GET', await path())
  if (status) expect(answer.status).toBe(status)
  expect(answer.headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
  })
  // The opener policy has a meaning for documents only.
  if (String(answer.headers['content-type']).startsWith('text/html'))
    expect(answer.headers).toMatchObject({ 'cross-origin-opener-policy': 'same-origin' })
  const policy = String(answer.headers['content-security-policy'])
  expect(policy).toContain(`default-src 'none'`)
  expect(policy).toContain(`frame-ancestors 'none'`)
  expect(policy).not.toMatch(/unsafe-|\*|https?:/)
  expect(answer.headers).not.toHaveProperty('x-powered-by')
})

test.each([
  { from: undefined, policy: 'same-origin', because: 'the origin is unknown' },
  {
    from: 'cross-site',
    policy: 'same-origin',
    because: 'the opener could navigate the page elsewhere',
  },
  {
    from: 'same-site',
    policy: 'same-origin',
    because: 'another host can have another owner',
  },
  {
    from: 'none',
    policy: 'unsafe-none',
    because: 'the page has no opener, and isolation would cost a new process',
  },
])(
  'a page that is opened from $from has the opener policy $policy: $because',
  async ({ from, policy }) => {
    const answer = await call('GET', '/vms', from ? { 'sec-fetch-site': from } : {})
    expect(answer.headers['cross-origin-opener-policy']).toBe(policy)
  },
)

test('the page has a new nonce each time and is not cached, while its scripts are', async () => {
  const pages = await Promise.all([call('GET', '/'), call('GET', '/')])
  const nonces = pages.map(
    ({ headers }) => /'nonce-([\w-]{20,})'/.exec(String(headers['content-security-policy']))?.[1],
  )
  expect(new Set(nonces).size).toBe(2)
  for (const [at, page] of pages.entries()) expect(page.body).toContain(`content="${nonces[at]}"`)
  expect(pages[0]?.headers['cache-control']).toBe('no-store')
  expect((await call('GET', await scriptPath())).headers['cache-control']).toContain('immutable')
})

test('another origin gets no CORS headers, and TRACE is refused', async () => {
  const foreign = { origin: 'https://evil.example', 'access-control-request-method': 'POST' }
  for (const path of ['/', '/graphql', '/api/v1/tenants', '/auth/session/refresh'])
    expect((await call('OPTIONS', path, foreign)).headers).not.toHaveProperty(
      'access-control-allow-origin',
    )
  expect((await call('TRACE', '/')).status).toBe(405)
})
