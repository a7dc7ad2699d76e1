import { limitOf } from '../process/limit-program.ts'
import { median } from '../numbers.ts'
import { rootPassword } from '../product/product.ts'
import { type Row } from '../row.ts'
import { type UnwatchedBrowser, openUnwatched } from '../load/unwatched-browser.ts'
import { type World } from '../product/world.ts'

interface Seen {
  paintMs: number
  readyMs: number
}

/**
 * What a person waits for who opens the console's list of machines, beside the least that a page
 * with the same framework can be.
 */
export async function firstLoads(world: World, tenantId: string): Promise<Row[]> {
  const [{ port }, { ready }] = [await world.berth(), await limitOf(world)]
  await using browser = await openUnwatched()
  const seen: { berth: Seen; bare: Seen }[] = []
  const turns = world.options.quick ? 3 : 9
  for (let turn = 0; turn <= turns; turn += 1) {
    const bare = await loaded(browser, { url: `${originOf(ready.port)}/?${tenantId}` })
    const berth = await loaded(browser, {
      url: `${originOf(port)}/vms`,
      cookies: await sessionAt(originOf(port)),
    })
    // The first of each finds nothing prepared.
    if (turn > 0) seen.push({ berth, bare })
  }
  const row = (name: string, of: keyof Seen, atMost: number): Row => {
    const ratios = seen.map(({ berth, bare }) => berth[of] / bare[of])
    return {
      name,
      berth: { p50Ms: median(seen.map(({ berth }) => berth[of])) },
      limit: { p50Ms: median(seen.map(({ bare }) => bare[of])) },
      value: median(ratios),
      spread: [Math.min(...ratios), Math.max(...ratios)],
      unit: '×',
      target: { atMost },
    }
  }
  return [
    row('console: first paint of /vms', 'paintMs', 1.4),
    row('console: table of /vms ready', 'readyMs', 2),
  ]
}

export const originOf = (port: unknown): string => `http://127.0.0.1:${String(port)}`

type Cookie = Parameters<UnwatchedBrowser['visit']>[0]['cookies'][number]

/** Of a session that nobody has used yet. */
async function sessionAt(url: string): Promise<Cookie[]> {
  const headers = { 'x-berth-session': '1', 'content-type': 'application/json' }
  const answer = await fetch(`${url}/auth/session`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ username: 'root', password: rootPassword }),
  })
  if (!answer.ok) throw new Error(`root cannot log in: ${await answer.text()}`)
  return answer.headers.getSetCookie().map((text) => {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? []
    return { name, value, url }
  })
}

/** When the first machine is in the table. */
const look = `(function look() {
  if (document.querySelector('tbody tr')?.textContent.includes('vm-000001')) globalThis.readyMs = performance.now()
  else requestAnimationFrame(look)
})()`

/** What is in the page may be told of before it has been painted. */
const told = `(() => {
  const paint = performance.getEntriesByName('first-contentful-paint')[0]
  return globalThis.readyMs && paint ? { readyMs, paintMs: paint.startTime } : null
})()`

async function loaded(
  browser: UnwatchedBrowser,
  { url, cookies = [] }: { url: string; cookies?: Cookie[] },
): Promise<Seen> {
  const { readyMs = Number.NaN, paintMs = Number.NaN } = await browser.visit({
    url,
    cookies,
    begin: look,
    ask: told,
  })
  return { readyMs, paintMs }
}
