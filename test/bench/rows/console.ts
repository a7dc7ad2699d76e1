import { setTimeout as pause } from 'node:timers/promises'
import { type Browser, type Page, chromium } from 'playwright-core'
import { chromiumArgs, ensureChromium } from '../../support/browser/chromium.ts'
import { firstLoads, originOf } from './first-loads.ts'
import { percentile } from '../numbers.ts'
import { rootPassword } from '../product/product.ts'
import { type Bench, type Row } from '../row.ts'
import { vmsOf } from './vm-lists.ts'
import { type VmPlace, openVmPlace, until } from '../product/vm-world.ts'
import { type World } from '../product/world.ts'

/**
 * What a person at the console waits for, in a browser without a store: beside the least that a
 * page with the same framework can be, and absolute.
 */
export const webConsole: Bench = {
  name: 'console in a browser',
  async run(world) {
    const tenantId = await vmsOf(world, { count: 20_000, tenants: 1 })
    const loads = await firstLoads(world, tenantId)
    await using browser = await chromium.launch({
      executablePath: await ensureChromium(),
      args: chromiumArgs,
    })
    return [...loads, await scrolling(world, browser), await changing(world, browser)]
  },
}

async function opened(browser: Browser, origin: string, isOurs: boolean): Promise<Page> {
  const context = await browser.newContext({
    baseURL: origin,
    viewport: { width: 1360, height: 860 },
  })
  const page = await context.newPage()
  if (isOurs) {
    const data = { username: 'root', password: rootPassword }
    const answer = await page.request.post('/auth/session', {
      headers: { 'x-berth-session': '1' },
      data,
    })
    if (!answer.ok()) throw new Error(`root cannot log in: ${await answer.text()}`)
  }
  return page
}

/** From the beginning of ten thousand machines downwards, a good part of a screen in each frame. */
async function scrolling(world: World, browser: Browser): Promise<Row> {
  const { port } = await world.berth()
  const page = await opened(browser, originOf(port), true)
  await page.goto('/vms')
  await page.getByRole('link', { name: 'vm-000001' }).waitFor()
  await pause(1_000)
  const frames = await page.evaluate(async (count) => {
    const times: number[] = []
    for (let frame = 0; frame < count; frame += 1) {
      scrollBy(0, 300)
      times.push(await new Promise<number>((done) => requestAnimationFrame(done)))
    }
    return times.slice(1).map((time, index) => time - (times[index] ?? time))
  }, 300)
  await page.context().close()
  const sorted = frames.toSorted((a, b) => a - b)
  const [p50Ms, value] = [percentile(sorted, 0.5), percentile(sorted, 0.95)]
  return {
    name: 'console: frames while 10,000 machines are scrolled, p95',
    berth: { p50Ms },
    value,
    unit: 'ms',
    target: { atMost: 50 },
  }
}

const machines = 30

/** From the cluster's answer to what changes a machine's state until the table says so. */
async function changing(world: World, browser: Browser): Promise<Row> {
  await using place = await openVmPlace(world, 'console')
  const names = await running(place)
  const page = await opened(browser, originOf(place.berth.port), true)
  await page.goto('/vms')
  await page.getByRole('link', { name: names[0] ?? '' }).waitFor()
  const times: number[] = []
  for (const name of names) {
    const shown = page.evaluate(untilPaused, name)
    const path = `/apis/subresources.kubevirt.io/v1/namespaces/berth-default/virtualmachineinstances/${name}/pause`
    const { status } = await place.door.call(path, { method: 'PUT', body: {} })
    if (status >= 300) throw new Error(`the sandbox refused to pause: ${status}`)
    const at = Date.now()
    times.push(Math.max(0, (await shown) - at))
  }
  await page.context().close()
  times.sort((a, b) => a - b)
  const [p50Ms, p99Ms, value] = [
    percentile(times, 0.5),
    percentile(times, 0.99),
    percentile(times, 0.95),
  ]
  return {
    name: 'console: a change in the cluster on the screen, p95',
    berth: { p50Ms, p99Ms },
    value,
    unit: 'ms',
    target: { atMost: 500 },
  }
}

/** Runs in the page: when its row says that it is paused, drawn. */
const untilPaused = (name: string): Promise<number> =>
  new Promise((done) => {
    const look = (): void => {
      const row = [...document.querySelectorAll('tbody tr')].find(({ textContent }) =>
        textContent?.includes(name),
      )
      if (row?.textContent?.includes('Paused')) done(Date.now())
      else requestAnimationFrame(look)
    }
    look()
  })

async function running({ ask, sql }: VmPlace): Promise<string[]> {
  const { vmTemplates } = await ask(
    '{ vmTemplates(filter: { search: "ubuntu" }) { nodes { id } } }',
  )
  const names = Array.from(
    { length: machines },
    (_, index) => `shown-${String(index).padStart(2, '0')}`,
  )
  const create = 'mutation ($i: CreateVmInput!) { createVm(input: $i) { vm { id } } }'
  for (const name of names)
    await ask(create, { i: { name, templateId: vmTemplates.nodes[0].id, memoryMi: 64 } })
  const isThere = async (): Promise<boolean> =>
    (await sql.query(`select from vm where state = 'Running'`)).rowCount === machines
  await until(isThere, 'the machines to run')
  return names
}
