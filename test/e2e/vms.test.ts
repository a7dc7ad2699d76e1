import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { aBrowser, soon } from '../support/browser/browser.ts'
import { aBuiltBerth } from '../support/browser/berth.ts'
import { aVmFor, graphOf } from '../support/browser/root-client.ts'
import { choose, gone, live, row } from '../support/browser/page.ts'
import { violations } from '../support/browser/accessibility.ts'

const berth = await aBuiltBerth()
const browser = await aBrowser(berth.url)
/** A VM starts and stops at the pace of a real one. */
const patient = { timeout: 30_000 } as const

async function deploy(page: Page, name: string, hostname = name): Promise<void> {
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
  await page.getByRole('radio', { name: /CirrOS/ }).check()
  // An ephemeral root disk is ready soonest.
  await page.getByRole('switch', { name: 'Forget everything with each stop' }).click()
  await page.getByRole('button', { name: 'Deploy machine' }).click()
  await page.getByRole('heading', { level: 1, name: hostname }).waitFor()
}

const inState = (page: Page, state: string): Promise<void> =>
  page.getByRole('status', { name: 'State' }).getByText(state, { exact: true }).waitFor(patient)

test('a VM is deployed, used through console and log, stopped, protected and deleted', async () => {
  const { page, logIn } = await browser.someone()
  await logIn()
  await page.getByRole('link', { name: 'Virtual machines' }).click()
  await page.getByText('No machines yet').waitFor()
  await page.getByRole('button', { name: 'Deploy machine' }).first().click()
  await deploy(page, 'Harbour 1', 'harbour-1')
  expect(new URL(page.url()).pathname).toBe('/vms/harbour-1')
  await inState(page, 'Running')

  await page.getByRole('tab', { name: 'Console' }).click()
  await page.getByRole('status').filter({ hasText: 'Connected' }).waitFor(patient)
  const terminal = page.getByRole('textbox', { name: 'Serial console of harbour-1' })
  await terminal.press('Enter')
  await page
    .getByText(/harbour-1 login:/)
    .first()
    .waitFor()
  await terminal.press('Control+.')
  await expect
    .poll(() => terminal.evaluate((field) => field === document.activeElement), soon)
    .toBe(false)
  await page.getByRole('radio', { name: 'Screen' }).check()
  await page.getByRole('img', { name: 'Screen of harbour-1' }).waitFor()
  await page.getByRole('button', { name: 'Ctrl-Alt-Del' }).waitFor()

  await page.getByRole('tab', { name: 'Logs' }).click()
  const log = page.getByRole('log', { name: 'Lines of the log' })
  await log
    .getByText(/login:/)
    .first()
    .waitFor(patient)
  await page.getByRole('searchbox', { name: 'Search the log' }).fill('no such words')
  await page.getByText('No line has this in it.').waitFor()
  await page.getByRole('searchbox', { name: 'Search the log' }).fill('LOGIN:')
  await page.getByText(/^Match 1 of \d/).waitFor()
  await log.getByText('login:', { exact: true }).first().waitFor()

  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await inState(page, 'Stopped')
  await page.getByRole('tab', { name: 'Console' }).click()
  await page
    .getByText(/harbour-1 is stopped, so its console cannot be opened; start it first/)
    .waitFor()

  await page.getByRole('tab', { name: 'Operations and events' }).click()
  const moments = page.getByRole('region', { name: 'Operations and events' }).getByRole('listitem')
  const ran = moments.filter({ hasText: 'The VM is running.' })
  await ran.waitFor()
  expect(await moments.first().innerText()).toContain('The VM has stopped.')
  expect(await moments.last().innerText()).toContain('Deploy VM')
  await page.getByRole('radio', { name: 'Operations', exact: true }).check()
  await ran.waitFor(gone)
  expect(await moments.count()).toBe(2)

  await page.getByRole('tab', { name: 'Settings' }).click()
  await page.getByRole('switch', { name: 'Protect against deletion' }).click()
  await expect
    .poll(
      () => page.getByRole('button', { name: 'Delete machine' }).getAttribute('aria-disabled'),
      soon,
    )
    .toBe('true')
  await page.getByRole('switch', { name: 'Protect against deletion' }).click()
  await expect
    .poll(
      () => page.getByRole('button', { name: 'Delete machine' }).getAttribute('aria-disabled'),
      soon,
    )
    .toBeNull()
  await page.getByRole('button', { name: 'Delete machine' }).click()
  const dialog = page.getByRole('dialog')
  await dialog
    .getByRole('list', { name: 'What happens' })
    .getByText(/The name harbour-1 is free again/)
    .waitFor()
  await dialog.getByLabel(/Type/).fill('harbour-1')
  await dialog.getByRole('button', { name: 'Delete machine' }).click()
  await page.getByText('There is no machine of this name').waitFor(patient)
})

test('a change in one browser shows in the other, and a bulk action reports each result', async () => {
  const [{ page }, other] = await Promise.all([browser.root('/deploy'), browser.root('/vms')])
  await deploy(page, 'pier-1')
  await row(other.page, 'pier-1').getByText('Running', { exact: true }).waitFor(patient)
  await page.goto('/deploy')
  await deploy(page, 'pier-2')
  await row(other.page, 'pier-2').getByText('Running', { exact: true }).waitFor(patient)

  await choose(other.page, { row: 'pier-1', item: 'Stop by force' })
  await other.page.getByRole('button', { name: 'Switch it off' }).click()
  await row(other.page, 'pier-1').getByText('Stopped', { exact: true }).waitFor(patient)

  await page.goto('/vms?search=pier')
  await live(page)
  await row(page, 'pier-1').getByText('Stopped', { exact: true }).waitFor()
  await page.getByRole('checkbox', { name: 'Choose all that are loaded' }).check()
  const chosen = page.getByRole('toolbar', { name: 'Chosen machines' })
  await chosen.getByText('2 chosen').waitFor()
  await chosen.getByRole('button', { name: 'Stop' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Stop 2 machines' }).click()
  const outcome = page.getByRole('dialog').getByRole('list', { name: 'VMs' })
  await outcome
    .getByRole('listitem')
    .filter({ hasText: 'pier-1' })
    .getByText(/is stopped, so it cannot be stopped; there is nothing to do/)
    .waitFor()
  await outcome.getByRole('listitem').filter({ hasText: 'pier-2' }).getByText('Accepted').waitFor()
  await page.getByText('1 accepted, 1 refused.').waitFor()
  await page.getByRole('button', { name: 'Close' }).last().click()
  await row(other.page, 'pier-2').getByText('Stopped', { exact: true }).waitFor(patient)
})

test('a bulk action sends no further requests after it is cancelled', async () => {
  const ask = await graphOf(berth.url)
  await Promise.all(
    [1, 2, 3, 4, 5, 6].map((n) => aVmFor(ask, { name: `skiff-${n}`, start: false })),
  )
  const { page } = await browser.root('/vms?search=skiff')
  await row(page, 'skiff-6').waitFor()
  await page.getByRole('checkbox', { name: 'Choose all that are loaded' }).check()
  await page
    .getByRole('toolbar', { name: 'Chosen machines' })
    .getByRole('button', { name: 'Start' })
    .click()
  const left = Promise.withResolvers<boolean>()
  let started = 0
  await page.route('**/graphql', async (route) => {
    const isStart = route.request().postData()?.includes('startVm')
    if (isStart) started += 1
    if (isStart) await left.promise
    await route.continue()
  })
  await page.getByRole('dialog').getByRole('button', { name: 'Start 6 machines' }).click()
  await expect.poll(() => started, soon).toBe(4)
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  left.resolve(true)
  await expect
    .poll(() => page.getByRole('row').filter({ hasText: 'Running' }).count(), patient)
    .toBe(4)
  expect(started).toBe(4)
})

test('a console that is left before its ticket arrives does not occupy the console slot', async () => {
  await aVmFor(await graphOf(berth.url), { name: 'mooring-1' })
  const { page } = await browser.root('/vms/mooring-1')
  const socketUrls: string[] = []
  page.on(
    'websocket',
    (socket) => socket.url().includes('/ws/console') && socketUrls.push(socket.url()),
  )
  const [ticketRequested, left] = [
    Promise.withResolvers<boolean>(),
    Promise.withResolvers<boolean>(),
  ]
  await page.route('**/graphql', async (route) => {
    const isTicket = route.request().postData()?.includes('createVmConsoleTicket')
    if (isTicket) ticketRequested.resolve(true)
    if (isTicket) await left.promise
    await route.continue()
  })
  await page.getByRole('tab', { name: 'Console' }).click()
  await ticketRequested.promise
  const answered = page.waitForResponse((answer) =>
    Boolean(answer.request().postData()?.includes('createVmConsoleTicket')),
  )
  await page.getByRole('tab', { name: 'Overview' }).click()
  left.resolve(true)
  await answered
  // The second opening connects and is the first socket at all.
  await page.getByRole('tab', { name: 'Console' }).click()
  await page.getByRole('status').filter({ hasText: 'Connected' }).waitFor(patient)
  expect(socketUrls).toHaveLength(1)
})

test('the state of the VM list is in the URL and can be saved as a view, and a menu shows why an action is refused', async () => {
  const { page, tab } = await browser.root('/vms?search=pier')
  await row(page, 'pier-1').waitFor()
  await page.getByRole('button', { name: 'Name' }).click()
  await expect.poll(() => page.url(), soon).toContain('sort=-name')
  await page.getByRole('radio', { name: 'Running' }).check()
  await page.getByText('No machine matches').waitFor()
  await page.reload()
  await live(page)
  await page.getByText('No machine matches').waitFor()

  const views = page.getByRole('button', { name: /iews$/ })
  await views.click()
  await page.getByRole('menuitem', { name: 'Save this view' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Piers that run')
  await page.getByRole('button', { name: 'Save view' }).click()
  await page.getByRole('button', { name: 'Piers that run, views' }).waitFor()
  const again = await tab()
  await again.goto('/vms')
  await again.getByRole('button', { name: /iews$/ }).click()
  await again.getByRole('menuitem', { name: 'Piers that run' }).click()
  const shown = (on: Page) => Object.fromEntries(new URL(on.url()).searchParams)
  await expect.poll(() => shown(again), soon).toEqual(shown(page))
  await again.getByText('No machine matches').waitFor()
  await again.getByRole('button', { name: 'Piers that run, views' }).click()
  await again.getByRole('menuitem', { name: /^Delete view/ }).click()
  // The other tab receives the change.
  await page.getByRole('button', { name: 'Views', exact: true }).waitFor()
  await page.getByRole('radio', { name: 'Stopped' }).check()
  await page.getByRole('button', { name: 'Actions for pier-1' }).click()
  const stop = page.getByRole('menuitem', { name: /^Stop VM pier-1 is stopped/ })
  await stop.waitFor()
  expect(await stop.getAttribute('aria-disabled')).toBe('true')
})

test('a refused deploy shows its errors at the fields and keeps the input', async () => {
  const { page } = await browser.root('/deploy')
  await page.getByRole('radio', { name: /CirrOS/ }).check()
  const [name, text] = [
    page.getByRole('textbox', { name: 'Name', exact: true }),
    page.getByRole('textbox', { name: 'Cloud-init' }),
  ]
  await text.fill('#cloud-config\npackages:\n\t- nginx\n')
  await page.getByText('Line 3: YAML is indented by spaces, not by tabs.').waitFor()
  const send = page.getByRole('button', { name: 'Deploy machine' })
  await send.click()
  await page.getByText('Give it a name').waitFor()
  await expect
    .poll(() => name.evaluate((field) => field === document.activeElement), soon)
    .toBe(true)
  await text.fill('#cloud-config\npackages: [nginx\n')
  await name.fill('Pier 1')
  await page.getByText('Its host name will be pier-1.').waitFor()
  await send.click()
  await page.getByText(/is not valid YAML/).waitFor()
  await text.fill('#cloud-config\npackages: [nginx]\n')
  await send.click()
  await page
    .getByRole('alert')
    .getByText(/VM named pier-1 exists already/)
    .waitFor()
  expect(await text.inputValue()).toContain('nginx')
  await page.getByText('The same as a call of the API').click()
  await page
    .getByRole('region', { name: 'The same as a call of the API' })
    .getByText('"name": "pier-1"')
    .waitFor()
  await page.getByRole('list', { name: 'Quota before and after' }).getByText('VMs').waitFor()
  await page.getByRole('dialog').waitFor(gone)
})

test('a deletion can be confirmed on a low screen with a long list of effects', async () => {
  const ask = await graphOf(berth.url)
  await aVmFor(ask, { name: 'doomed' })
  const { page } = await browser.root('/vms/doomed?tab=settings', {
    viewport: { width: 1360, height: 400 },
  })
  await page.getByRole('button', { name: 'Delete machine' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('The name doomed is free again').waitFor()
  await dialog.getByLabel(/Type/).fill('doomed')
  await dialog.getByRole('button', { name: 'Delete machine' }).click()
  await dialog.waitFor(gone)
})

test('a VM that another client changed in the cluster says so on its page, and the change is reverted there', async () => {
  const ask = await graphOf(berth.url)
  await aVmFor(ask, { name: 'drifting' })
  const { namespace } = (await ask('{ vmByName(name: "drifting") { namespace } }')).vmByName
  const cluster = await berth.cluster()
  const path = `/apis/kubevirt.io/v1/namespaces/${namespace}/virtualmachines/drifting`
  const body = { spec: { template: { spec: { domain: { memory: { guest: '128Mi' } } } } } }
  const headers = { 'content-type': 'application/merge-patch+json' }
  expect((await cluster.call(path, { method: 'PATCH', headers, body })).status).toBe(200)
  cluster.close()

  const { page } = await browser.root('/vms/drifting')
  await page.getByText('The VM was changed outside Berth.').waitFor(patient)
  await page.getByText(/128 MiB of memory instead of 256/).waitFor()
  await page.getByRole('button', { name: 'Accept change' }).waitFor()
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Revert change' }).click()
  await page.getByText('The VM was changed outside Berth.').waitFor(gone)
  await page.getByText('drifting is being reverted.').waitFor()
})
