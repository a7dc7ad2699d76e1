import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { aBrowser, soon } from '../support/browser/browser.ts'
import { layoutOf, violations } from '../support/browser/accessibility.ts'
import { aBuiltBerth } from '../support/browser/berth.ts'

const berth = await aBuiltBerth()
const browser = await aBrowser(berth.url)
const operation = (page: Page, id: string) => page.locator(`#${id}`)

test('the API docs show the parameters, answers and errors of each operation, with a command to copy', async () => {
  const { page, open } = await browser.someone({
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  await open('/api/v1/docs')
  const { paths } = await (await fetch(`${berth.url}/api/v1/openapi.json`)).json()
  const ids = Object.values<object>(paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  )
  expect(await page.locator('details').evaluateAll((all) => all.map(({ id }) => id))).toHaveLength(
    ids.length,
  )
  const deploy = operation(page, 'createVm')
  await deploy.getByText('Create a VM and start it').click()
  await deploy.getByRole('row', { name: /^name string required/ }).waitFor()
  await deploy.getByRole('row', { name: 'vm.nics[].ip string' }).waitFor()
  await deploy.getByText('quota_exceeded').waitFor()
  await deploy.getByRole('button', { name: 'Copy' }).click()
  await deploy.getByRole('button', { name: 'Copied' }).waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
    `curl -X POST "$BERTH/api/v1/vms" -H "authorization: Bearer $TOKEN" -H 'content-type: application/json' -d '{"name":"…"}'`,
  )
})

test('the API docs find an operation by path and method, and a URL opens its operation', async () => {
  const { page, open } = await browser.someone()
  await open('/api/v1/docs#listSshKeys')
  await operation(page, 'listSshKeys')
    .getByRole('rowheader', { name: 'ssh_keys[].fingerprint' })
    .waitFor()
  await page.getByLabel('Search').fill('vms/stop POST')
  await expect.poll(() => page.locator('details:visible').count(), soon).toBe(1)
  await page.getByText(/^1 of \d+ operations$/).waitFor()
  expect(await operation(page, 'stopVm').isVisible()).toBe(true)
  await page.getByLabel('Search').fill('')
  await expect.poll(() => page.locator('details:visible').count(), soon).toBeGreaterThan(50)
})

test.each(['light', 'dark'] as const)(
  'the API docs pass axe in the %s theme, fit a phone and run no inline code',
  async (colorScheme) => {
    const { page, open } = await browser.someone({
      colorScheme,
      viewport: { width: 390, height: 844 },
    })
    await open('/api/v1/docs#createVm')
    await operation(page, 'createVm').getByRole('button', { name: 'Copy' }).waitFor()
    // One open operation is enough: axe needs 15 seconds for all, and the same functions render
    // them.
    await page.evaluate(
      `document.querySelectorAll('details:not([open])').forEach((operation) => operation.remove())`,
    )
    expect(await violations(page)).toEqual([])
    expect(await layoutOf(page)).toEqual({
      headings: 1,
      title: 'REST API · Berth',
      overhang: 0,
      hidden: 0,
    })
    const { headers } = await fetch(`${berth.url}/api/v1/docs`)
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self';(?!.*unsafe)/,
    )
  },
)
