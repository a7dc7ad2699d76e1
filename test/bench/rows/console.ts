import { setTimeout as pause } from 'node:timers/promises'
import { type Browser, type Page, chromium } from 'playwright-core'
import { chromiumArgs, ensureChromium } from '../../support/browser/chromium.ts'
import { firstLoads, originOf } from './first-loads.ts'
import { percentile } from '../numbers.ts'
import { rootPassword } from '../product/product.ts'
import { type Bench, type Row } from '../row.ts'
import { vmsOf } from './vm-lists.ts'
import { type VmWorld, openVmWorld, until } from '../product/vm-world.ts'
import { type World } from '../product/world.ts'

/**
 * The time that a user of the console waits, in a browser without a cache. Loads are compared with
 * the smallest page of the same framework; scrolling and changes are absolute.
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

async function opened(browser: Browser, origin: string, withSession: boolean): Promise<Page> {
  const context = await browser.newContext({
    baseURL: origin,
    viewport: { width: 1360, height: 860 },
  })
  const page = await context.newPage()
  if (withSession) {
    const data = { username: 'root', password: rootPassword }
    const answer = await page.request.post('/auth/session', {
      headers: { 'x-berth-session': '1' },
      data,
    })
    if (!answer.ok()) throw new Error(`root cannot log in: ${await answer.text()}`)
  }
  return page
}

/** Scrolls down the list of 10,000 VMs, 300 pixels in each frame. */
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
    name: 'console: frame time while scrolling 10,000 VMs, p95',
    berth: { p50Ms },
    value,
    unit: 'ms',
    target: { atMost: 50 },
  }
}

const vmCount = 30

/** Measures from the cluster's answer to a state change until the table shows the state. */
async function changing(world: World, browser: Browser): Promise<Row> {
  await using vmWorld = await openVmWorld(world, 'console')
  const names = await running(vmWorld)
  const page = await opened(browser, originOf(vmWorld.berth.port), true)
  await page.goto('/vms')
  await page.getByRole('link', { name: names[0] ?? '' }).waitFor()
  const times: number[] = []
  for (const name of names) {
    const shown = page.evaluate(untilPaused, name)
    const path = `/apis/subresources.kubevirt.io/v1/namespaces/berth-default/virtualmachineinstances/${name}/pause`
    const { status } = await vmWorld.kube.call(path, { method: 'PUT', body: {} })
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
    name: 'console: from a cluster change to the screen, p95',
    berth: { p50Ms, p99Ms },
    value,
    unit: 'ms',
    target: { atMost: 500 },
  }
}

/** Runs in the page. Resolves when the row of the VM shows Paused in a frame. */
const untilPaused = (name: string): Promise<number> =>
  new Promise((done) => {
    const check = (): void => {
      const row = [...document.querySelectorAll('tbody tr')].find(({ textContent }) =>
        textContent?.includes(name),
      )
      if (row?.textContent?.includes('Paused')) done(Date.now())
      else requestAnimationFrame(check)
    }
    check()
  })

async function running({ ask, sql }: VmWorld): Promise<string[]> {
  const { vmTemplates } = await ask(
    '{ vmTemplates(filter: { search: "ubuntu" }) { nodes { id } } }',
  )
  const names = Array.from(
    { length: vmCount },
    (_, index) => `shown-${String(index).padStart(2, '0')}`,
  )
  const create = 'mutation ($i: CreateVmInput!) { createVm(input: $i) { vm { id } } }'
  for (const name of names)
    await ask(create, { i: { name, templateId: vmTemplates.nodes[0].id, memoryMi: 64 } })
  const isThere = async (): Promise<boolean> =>
    (await sql.query(`select from vm where state = 'Running'`)).rowCount === vmCount
  await until(isThere, 'the VMs to run')
  return names
}
