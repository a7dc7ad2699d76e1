import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { aBrowser, soon } from '../support/browser/browser.ts'
import { layoutOf, violations } from '../support/browser/accessibility.ts'
import { aBuiltBerth } from '../support/browser/berth.ts'
import { live } from '../support/browser/page.ts'

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
  const { requestBody, responses } = paths['/api/v1/vms'].post
  const { example } = requestBody.content['application/json']
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
    `curl -X POST "$BERTH/api/v1/vms" -H "authorization: Bearer $TOKEN" -H 'content-type: application/json' -d '${JSON.stringify(example)}'`,
  )
  await deploy.getByRole('heading', { name: 'Example response, 201' }).waitFor()
  const answer = JSON.stringify(responses[201].content['application/json'].example, null, 2)
  expect(await deploy.locator('pre').allTextContents()).toContain(answer)
})

test('the console opens the API docs from the menu of the account and from the palette', async () => {
  const { page } = await browser.root('/settings')
  const isInDocs = (at: URL): boolean => at.pathname === '/api/v1/docs'
  await page.getByRole('button', { name: /account of root/ }).click()
  await page.getByRole('menuitem', { name: 'REST API docs' }).click()
  await page.waitForURL(isInDocs)
  await page.goBack()
  await live(page)
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search and do' }).fill('openapi')
  await page.getByRole('option', { name: /^REST API docs/, selected: true }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(isInDocs)
})

test('the API docs send a request as the user of the console, and tell strangers to log in', async () => {
  const { page, open } = await browser.root('/settings')
  await open('/api/v1/docs')
  const role = operation(page, 'createRole')
  await role.getByText('POST', { exact: true }).click()
  await role
    .getByRole('textbox', { name: 'Body' })
    .fill('{ "name": "from-the-docs", "permissions": ["vms:read"] }')
  await role.getByRole('button', { name: 'Send POST' }).click()
  await role.getByText(/^201[^]*from-the-docs/).waitFor()

  const list = operation(page, 'listRoles')
  await list.getByText('GET', { exact: true }).click()
  await list.getByRole('textbox', { name: 'sort' }).fill('-created_at')
  await list.getByRole('textbox', { name: 'limit' }).fill('1')
  await list.getByRole('button', { name: 'Send GET' }).click()
  await list.getByText(/^200[^]*from-the-docs/).waitFor()

  const stranger = await browser.someone()
  await stranger.open('/api/v1/docs#listRoles')
  await operation(stranger.page, 'listRoles').getByRole('button', { name: 'Send GET' }).click()
  await operation(stranger.page, 'listRoles')
    .getByText(/^Log in to the console/)
    .waitFor()
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
