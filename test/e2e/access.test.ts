import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { aBrowser, fillLogin } from '../support/browser/browser.ts'
import { violations } from '../support/browser/accessibility.ts'
import { aBuiltBerth, rootPassword } from '../support/browser/berth.ts'
import { aVmFor, graphOf } from '../support/browser/root-client.ts'
import { choose, gone, row } from '../support/browser/page.ts'

const berth = await aBuiltBerth()
const browser = await aBrowser(berth.url)
const ask = await graphOf(berth.url)

async function createUser(
  page: Page,
  { name, role }: { name: string; role: string },
): Promise<string> {
  await page.getByRole('button', { name: 'New user' }).click()
  await page.getByLabel('User name').fill(name)
  await page.getByLabel('Role', { exact: true }).selectOption({ label: role })
  await page.getByRole('button', { name: 'Create user' }).click()
  await page.getByText(`${name} can log in now`).waitFor()
  const password = await page.getByRole('dialog').locator('code').innerText()
  await page.getByRole('button', { name: 'I have kept it' }).click()
  return password
}

async function createKey(page: Page, name: string): Promise<string> {
  await page.getByRole('button', { name: 'New API key' }).first().click()
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.getByRole('dialog', { name: 'Keep this key' }).waitFor()
  return page.getByRole('dialog').locator('code').innerText()
}

test('a disabled user is logged out at once and cannot log in again', async () => {
  const { page } = await browser.root('/access')
  const password = await createUser(page, { name: 'lookout', role: 'tenant.viewer' })
  const viewer = await browser.someone()
  await viewer.logIn('lookout', password)
  await viewer.page.getByRole('link', { name: 'Access' }).click()
  await viewer.page.getByRole('tab', { name: 'API keys' }).waitFor()

  browser.expects(/status of 401/)
  await choose(page, { row: 'lookout', item: 'Disable' })
  await page.getByText('lookout is locked out.').waitFor()
  await row(page, 'lookout').getByText('Disabled').waitFor()
  await viewer.page.waitForURL(/\/login/)
  await fillLogin(viewer.page, { username: 'lookout', password })
  await viewer.page.getByRole('alert').waitFor()

  await choose(page, { row: 'lookout', item: 'Delete' })
  await page.getByRole('button', { name: 'Delete user' }).click()
  await row(page, 'lookout').waitFor(gone)
})

test('a user who may not read logs and user data is told so, and an edit of a template keeps what they do not see', async () => {
  await aVmFor(ask, { name: 'sealed-1', start: false })
  const userData = '#cloud-config\npassword: hunter2\n'
  const { vmTemplate } = (
    await ask(
      'mutation ($i: CreateVmTemplateInput!) { createVmTemplate(input: $i) { vmTemplate { id } } }',
      { name: 'sealed', image: 'quay.io/a/b:1', cloudInitUserData: userData },
    )
  ).createVmTemplate
  const permissions = ['vms:read', 'vms:write']
  await ask('mutation ($i: CreateRoleInput!) { createRole(input: $i) { role { id } } }', {
    name: 'deployer',
    permissions,
  })
  const { page } = await browser.root('/access')
  const password = await createUser(page, { name: 'purser', role: 'deployer' })
  const purser = await browser.someone()
  await purser.logIn('purser', password)
  await purser.open('/vms/sealed-1?tab=logs')
  const noLog = purser.page.getByRole('region', { name: 'No log' })
  await noLog.getByText('Your role does not allow this').waitFor()

  await purser.open('/templates')
  await choose(purser.page, { row: 'sealed', item: 'Edit' })
  await purser.page.getByText('You may not read its user data.').waitFor()
  await purser.page.getByLabel('Description').fill('New words')
  await purser.page.getByRole('button', { name: 'Save' }).click()
  await purser.page.getByText('Saved sealed.').waitFor()
  const query = `{ vmTemplate(id: "${vmTemplate.id}") { description cloudInitUserData } }`
  expect((await ask(query)).vmTemplate).toEqual({
    description: 'New words',
    cloudInitUserData: userData,
  })
})

test('root cannot delete its own user in the list of users', async () => {
  const { page } = await browser.root('/access')
  await page.getByRole('searchbox', { name: 'Search users' }).fill('root')
  await row(page, 'root').waitFor()
  await page.getByRole('button', { name: 'Actions for root' }).click()
  const remove = page.getByRole('menuitem', { name: 'Delete' })
  expect(await remove.getAttribute('aria-disabled')).toBe('true')
  await remove.getByText('You cannot lock yourself out').waitFor()
})

test('a custom role cannot be deleted while in use, and a change of it updates the menu of its user', async () => {
  const { page } = await browser.root('/access?tab=roles')
  await page.getByRole('button', { name: 'New role' }).click()
  await page.getByLabel('Name', { exact: true }).fill('watch')
  await page.getByRole('checkbox', { name: 'Users: read' }).check()
  await page.getByRole('button', { name: 'Create role' }).click()
  await row(page, 'watch').getByText('users:read').waitFor()
  await page.getByRole('tab', { name: 'Users' }).click()
  const password = await createUser(page, { name: 'watchman', role: 'watch' })

  const watchman = await browser.someone()
  await watchman.logIn('watchman', password)
  await watchman.page.getByRole('link', { name: 'Access' }).click()
  const create = watchman.page.getByRole('button', { name: 'New user' })
  await create.waitFor()
  expect(await create.getAttribute('aria-disabled')).toBe('true')
  await create.hover()
  await watchman.page
    .getByRole('tooltip')
    .getByText('You may look at users, not change them')
    .waitFor()

  await page.getByRole('tab', { name: 'Roles' }).click()
  await choose(page, { row: 'watch', item: 'Delete' })
  await page.getByRole('button', { name: 'Delete role' }).click()
  await page.getByRole('dialog').getByRole('alert').waitFor()
  await page.keyboard.press('Escape')
  await choose(page, { row: 'watch', item: 'Edit' })
  await page.getByRole('checkbox', { name: 'Users: read' }).uncheck()
  await page.getByRole('checkbox', { name: 'VMs: read' }).check()
  await page.getByRole('button', { name: 'Save' }).click()
  await watchman.page.getByRole('tab', { name: 'Users' }).waitFor(gone)
})

test('an API key works until it is revoked, and its secret is shown once', async () => {
  const { page } = await browser.root('/access?tab=keys')
  const key = await createKey(page, 'terraform')
  const call = () =>
    fetch(`${berth.url}/api/v1/tenants`, { headers: { authorization: `Bearer ${key}` } })
  expect((await call()).status).toBe(200)
  await page.getByRole('button', { name: 'I have kept it' }).click()
  await row(page, 'terraform').getByText('Active').waitFor()
  expect(await page.content()).not.toContain(key)
  await page.getByRole('button', { name: 'Revoke terraform' }).click()
  await page.getByRole('button', { name: 'Revoke key' }).click()
  await row(page, 'terraform').getByText('Revoked').waitFor()
  await expect.poll(async () => (await call()).status, { timeout: 5000 }).toBe(401)
})

test('an administrator sees the logins and ends one, which then stops working', async () => {
  const { page } = await browser.root('/access?tab=logins')
  await row(page, 'This login').getByText('Chrome on Linux').waitFor()
  const login = await fetch(`${berth.url}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'nightly-job/2.1' },
    body: JSON.stringify({ username: 'root', password: rootPassword }),
  })
  const { token } = (await login.json()) as { token: string }
  const call = () =>
    fetch(`${berth.url}/api/v1/auth/me`, { headers: { authorization: `Bearer ${token}` } })
  expect((await call()).status).toBe(200)
  await page.reload()
  await row(page, 'nightly-job 2.1').getByRole('button', { name: 'End the login of root' }).click()
  await page.getByRole('button', { name: 'End login' }).click()
  await row(page, 'nightly-job 2.1').waitFor(gone)
  await expect.poll(async () => (await call()).status, { timeout: 5000 }).toBe(401)
})

test('a restricted API key needs at least one permission', async () => {
  const { page } = await browser.root('/access?tab=keys')
  await page.getByRole('button', { name: 'New API key' }).first().click()
  await page.getByLabel('Name', { exact: true }).fill('narrow')
  await page.getByRole('switch', { name: 'Less than I may do' }).click()
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.getByText('Choose at least one').waitFor()
  await page.getByRole('checkbox', { name: 'VMs: read' }).check()
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.getByRole('dialog', { name: 'Keep this key' }).waitFor()
  await page.getByRole('button', { name: 'I have kept it' }).click()
  await row(page, 'narrow').getByText('vms:read').waitFor()
})

test('the audit log shows allowed and refused actions, and its filters are in the URL', async () => {
  const { page } = await browser.root('/access?tab=audit')
  await row(page, 'createApiKey').filter({ hasText: 'terraform' }).getByText('Allowed').waitFor()
  await row(page, 'deleteRole').getByText('Refused').waitFor()
  await page.getByLabel('Outcome').selectOption('refused')
  await row(page, 'createApiKey').first().waitFor(gone)
  await page.getByRole('searchbox', { name: 'What' }).fill('deleteRole')
  await page.waitForURL(/outcome=refused.*what=deleteRole|what=deleteRole.*outcome=refused/)
  await page.reload()
  await row(page, 'deleteRole').waitFor()
  expect(await page.locator('tbody').getByRole('row').count()).toBe(1)
})

test('an export of the audit log has the entries of the filtered list and is itself in the list', async () => {
  await ask('mutation ($i: CreateRoleInput!) { createRole(input: $i) { role { id } } }', {
    name: 'exported',
    permissions: ['vms:read'],
  })
  const { page } = await browser.root('/access?tab=audit&what=createRole&outcome=allowed')
  await row(page, 'createRole').filter({ hasText: 'exported' }).waitFor()
  await page.getByRole('button', { name: 'Export' }).click()
  const dialog = page.getByRole('dialog', { name: 'Export audit log' })
  await dialog.getByLabel('Format').selectOption('ndjson')
  await dialog.getByLabel('First day').fill('2026-02-02')
  await dialog.getByLabel('Last day').fill('2026-02-01')
  await dialog.getByRole('button', { name: 'Export' }).click()
  await dialog.getByText('The last day is before the first one').waitFor()
  expect(await violations(page)).toEqual([])
  await dialog.getByLabel('Last day').fill('')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Export' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('audit-events.ndjson')
  const lines = readFileSync(await download.path(), 'utf8')
    .trimEnd()
    .split('\n')
  const rows = lines.map((line) => JSON.parse(line))
  expect(rows.pop()).toEqual({ complete: true, rows: rows.length })
  expect(rows[0]).toMatchObject({ target_name: 'exported' })
  for (const { operation, outcome } of rows)
    expect([operation, outcome]).toEqual(['createRole', 'allowed'])
  await dialog.waitFor(gone)
  await page.getByRole('searchbox', { name: 'What' }).fill('createAuditExport')
  await page.getByLabel('Outcome').selectOption('any')
  await row(page, 'createAuditExport')
    .filter({ hasText: 'ndjson, operation createRole, outcome allowed' })
    .waitFor()
})
