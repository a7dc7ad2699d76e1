import type { Page, Request } from 'playwright-core'
import { expect, test } from 'vitest'
import { aBrowser, soon } from '../support/browser/browser.ts'
import { violations } from '../support/browser/accessibility.ts'
import { aBuiltBerth } from '../support/browser/berth.ts'
import { live } from '../support/browser/page.ts'

const berth = await aBuiltBerth()
const browser = await aBrowser(berth.url)

const many = 10_000
const nameOf = (at: number): string => `vm-${String(at).padStart(5, '0')}`
const vmAt = (at: number): object => ({
  __typename: 'Vm',
  id: `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
  name: nameOf(at),
  displayName: nameOf(at),
  state: at % 3 ? 'Running' : 'Stopped',
  stateSince: '2026-11-21T12:00:00Z',
  explanation: null,
  cpu: 2,
  memoryMi: 4096,
  serviceOfferingName: 'medium',
  templateName: 'Ubuntu',
  osType: 'linux',
  diskProgress: null,
  addresses: [`10.1.${at >> 8}.${at & 255}`],
  restartRequired: false,
  createdAt: '2026-11-21T12:00:00Z',
})

interface VmsRequest {
  operationName?: string
  variables?: { first: number; after: string | null; orderBy: { direction: 'asc' | 'desc' } }
}

/**
 * Answers the list of VMs in the browser, page by page like the server. A cluster of that size
 * would be busy for minutes.
 */
async function withMany(page: Page): Promise<VmsRequest[]> {
  const requests: VmsRequest[] = []
  await page.route('**/graphql', async (route) => {
    const { operationName, variables } = requestIn(route.request())
    if (operationName !== 'Vms' || !variables) return route.continue()
    requests.push({ operationName, variables })
    const from = Number(variables.after ?? 0)
    const to = Math.min(many, from + variables.first)
    const position = (at: number) => (variables.orderBy.direction === 'asc' ? at : many - 1 - at)
    const nodes = Array.from({ length: to - from }, (_, index) => vmAt(position(from + index)))
    const pageInfo = { __typename: 'PageInfo', endCursor: String(to), hasNextPage: to < many }
    return route.fulfill({
      json: { data: { vms: { __typename: 'VmConnection', totalCount: many, pageInfo, nodes } } },
    })
  })
  return requests
}

// The console always sends an object with a name and variables.
const requestIn = (request: Request): VmsRequest => request.postDataJSON() as VmsRequest

const drawn = (page: Page): Promise<number> => page.locator('tbody').getByRole('row').count()

test('a list of 10,000 VMs renders only its visible rows, and its end is as fast to reach as its start', async () => {
  const { page } = await browser.root('/settings')
  const requests = await withMany(page)
  await page.getByRole('link', { name: 'Virtual machines' }).click()
  await page.getByRole('link', { name: nameOf(0), exact: true }).waitFor()
  await page.getByText('10,000 in all').waitFor()
  expect(await drawn(page)).toBeLessThan(60)
  expect(requests.length).toBeLessThanOrEqual(2)
  expect(await violations(page)).toEqual([])

  await page.getByRole('link', { name: nameOf(0), exact: true }).focus()
  for (let step = 0; step < 40; step++) await page.keyboard.press('ArrowDown')
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.textContent), soon)
    .toBe(nameOf(40))

  await page.evaluate(() => scrollTo({ top: document.documentElement.scrollHeight }))
  await page.getByRole('link', { name: nameOf(many - 1), exact: true }).waitFor()
  expect(await drawn(page)).toBeLessThan(60)
  expect(requests.length, 'the end is read as one page').toBeLessThanOrEqual(4)
  await page.evaluate(() => scrollTo({ top: (document.documentElement.scrollHeight * 9) / 10 }))
  await page.getByRole('link', { name: nameOf(9_000), exact: true }).waitFor()
  expect(requests.length, 'the rest is read from the nearer end').toBeLessThanOrEqual(10)
  await page.evaluate(() => scrollTo({ top: 0 }))
  await page.getByRole('link', { name: nameOf(0), exact: true }).waitFor()
  await live(page)
})
