import { limitOf } from '../process/limit-program.ts'
import { median } from '../numbers.ts'
import { rootPassword } from '../product/product.ts'
import { type Row } from '../row.ts'
import { type UnwatchedBrowser, openUnwatched } from '../load/unwatched-browser.ts'
import { type World } from '../product/world.ts'

interface LoadTimes {
  paintMs: number
  readyMs: number
}

/**
 * Measures how long the console's list of VMs takes to open, compared with the smallest page of the
 * same framework.
 */
export async function firstLoads(world: World, tenantId: string): Promise<Row[]> {
  const [{ port }, { ready }] = [await world.berth(), await limitOf(world)]
  await using browser = await openUnwatched()
  const loads: { berth: LoadTimes; bare: LoadTimes }[] = []
  const turns = world.options.quick ? 3 : 9
  for (let turn = 0; turn <= turns; turn += 1) {
    const bare = await loaded(browser, { url: `${originOf(ready.port)}/?${tenantId}` })
    const berth = await loaded(browser, {
      url: `${originOf(port)}/vms`,
      cookies: await sessionAt(originOf(port)),
    })
    // The first load of each is a warm-up.
    if (turn > 0) loads.push({ berth, bare })
  }
  const row = (name: string, time: keyof LoadTimes, atMost: number): Row => {
    const ratios = loads.map(({ berth, bare }) => berth[time] / bare[time])
    return {
      name,
      berth: { p50Ms: median(loads.map(({ berth }) => berth[time])) },
      limit: { p50Ms: median(loads.map(({ bare }) => bare[time])) },
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

type Cookie = Parameters<UnwatchedBrowser['load']>[0]['cookies'][number]

/** Returns the cookies of a new session. */
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

/** Records the time at which the table shows its first VM. */
const markReady = `(function check() {
  if (document.querySelector('tbody tr')?.textContent.includes('vm-000001')) globalThis.readyMs = performance.now()
  else requestAnimationFrame(check)
})()`

/** Returns both times, or null before the first paint was reported. */
const readTimes = `(() => {
  const paint = performance.getEntriesByName('first-contentful-paint')[0]
  return globalThis.readyMs && paint ? { readyMs, paintMs: paint.startTime } : null
})()`

async function loaded(
  browser: UnwatchedBrowser,
  { url, cookies = [] }: { url: string; cookies?: Cookie[] },
): Promise<LoadTimes> {
  const { readyMs = Number.NaN, paintMs = Number.NaN } = await browser.load({
    url,
    cookies,
    begin: markReady,
    ask: readTimes,
  })
  return { readyMs, paintMs }
}
