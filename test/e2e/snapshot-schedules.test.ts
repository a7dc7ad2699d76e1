import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { aBrowser, soon } from '../support/browser/browser.ts'
import { violations } from '../support/browser/accessibility.ts'
import { aBuiltBerth } from '../support/browser/berth.ts'
import { aVmFor, graphOf } from '../support/browser/root-client.ts'
import { choose, gone, row } from '../support/browser/page.ts'
import { waitFor } from '../support/wait-for.ts'

const berth = await aBuiltBerth()
const browser = await aBrowser(berth.url)
const ask = await graphOf(berth.url)

const aVolume = async (name: string): Promise<string> => {
  const create =
    'mutation ($i: CreateVolumeInput!) { createVolume(input: $i, waitSeconds: 30) { volume { id } } }'
  return (await ask(create, { name, sizeGi: 1, storageClass: 'fast' })).createVolume.volume.id
}
const schedules = async (): Promise<object[]> =>
  (
    await ask(
      '{ snapshotSchedules(first: 50) { nodes { name cron timeZone keep state acceptMissing } } }',
    )
  ).snapshotSchedules.nodes
const nextRuns = async (page: Page): Promise<string[]> => {
  const runs = await page
    .getByRole('region', { name: /^Next runs/ })
    .getByRole('time')
    .all()
  return await Promise.all(
    runs.map(async (run) => new Date((await run.getAttribute('datetime')) ?? '').toUTCString()),
  )
}

test('a volume schedule is created, changed, paused, resumed and deleted, and another browser follows', async () => {
  await aVolume('orders')
  const [{ page }, watcher] = await Promise.all([
    browser.root('/snapshots'),
    browser.root('/snapshots?show=schedules'),
  ])
  await page.getByRole('tab', { name: 'Schedules' }).click()
  await page.getByText('No schedules yet').waitFor()
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'New schedule' }).first().click()
  await page.getByLabel('Name', { exact: true }).fill('Nightly')
  await page.getByRole('radio', { name: 'orders' }).check()
  await page.getByLabel('How often').selectOption({ label: 'Every week' })
  await page.getByLabel('Day of the week').selectOption({ label: 'Friday' })
  await page.getByLabel('Time of day').fill('18:00')
  await page.getByLabel('Time zone').selectOption('UTC')
  const friday = expect.stringMatching(/^Fri, .* 18:00:00 GMT$/)
  await expect.poll(() => nextRuns(page), soon).toEqual([friday, friday, friday])
  await page.getByLabel('How many stay').fill('3')
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Create schedule' }).click()
  await page.getByRole('dialog').waitFor(gone)
  await row(watcher.page, 'nightly').getByText('Every week, Friday at 18:00').waitFor()
  await row(watcher.page, 'nightly').getByText('Active', { exact: true }).waitFor()
  expect(await schedules()).toMatchObject([
    { name: 'nightly', cron: '0 18 * * 5', timeZone: 'UTC', keep: 3 },
  ])

  await choose(page, { row: 'nightly', item: 'Change' })
  expect(await page.getByLabel('Day of the week').inputValue()).toBe('5')
  await page.getByLabel('How often').selectOption({ label: 'As a line of cron' })
  await page.getByLabel('Line of cron').fill('0 0 30 2 *')
  await page.getByText('It would never run.').waitFor()
  await page.getByLabel('Line of cron').fill('0 25 * * *')
  await page.getByRole('status').getByText(/hour/).waitFor()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect
    .poll(() => page.getByLabel('Line of cron').getAttribute('aria-invalid'), soon)
    .toBe('true')
  expect(await violations(page)).toEqual([])
  await page.getByLabel('Line of cron').fill('*/20 * * * *')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await row(watcher.page, 'nightly').getByText('*/20 * * * *').waitFor()

  await page.getByRole('button', { name: 'Actions for nightly' }).click()
  const resume = page.getByRole('menuitem', { name: /^Resume/ })
  await resume.getByText(/is active already/).waitFor()
  expect(await resume.getAttribute('aria-disabled')).toBe('true')
  await page.getByRole('menuitem', { name: 'Pause' }).click()
  await row(watcher.page, 'nightly').getByText('On hold').waitFor()
  await watcher.page.getByRole('button', { name: 'nightly', exact: true }).click()
  const drawer = watcher.page.getByRole('dialog', { name: 'nightly' })
  await drawer.getByText('The schedule was paused by a user').waitFor()
  expect(await violations(watcher.page)).toEqual([])
  await drawer.getByRole('button', { name: 'Resume' }).click()
  await row(page, 'nightly').getByText('Active', { exact: true }).waitFor()
  await choose(page, { row: 'nightly', item: 'Delete' })
  await page.getByRole('button', { name: 'Delete schedule' }).click()
  await watcher.page
    .getByRole('dialog', { name: 'Schedule' })
    .getByText('No such schedule')
    .waitFor()
  expect(await schedules()).toEqual([])
})

test('a schedule that fails three times gives up and shows the reason and a remedy', async () => {
  const volumeId = await aVolume('full')
  const create =
    'mutation ($i: CreateSnapshotScheduleInput!) { createSnapshotSchedule(input: $i) { snapshotSchedule { id } } }'
  const quota =
    'mutation ($i: UpdateTenantQuotaInput!) { updateTenantQuota(input: $i) { tenant { id } } }'
  await ask(quota, {
    id: (await ask('{ viewer { tenant { id } } }')).viewer.tenant.id,
    snapshots: 0,
  })
  const { id } = (await ask(create, { name: 'given-up', volumeId, cron: '* * * * *', keep: 1 }))
    .createSnapshotSchedule.snapshotSchedule
  const update =
    'mutation ($i: UpdateSnapshotScheduleInput!) { updateSnapshotSchedule(input: $i) { snapshotSchedule { id } } }'
  for (const failures of [1, 2, 3]) {
    // Makes a run due in the past. The next update triggers it.
    const then = `now() - interval '${20 - failures} hours'`
    await berth.sql(
      `update snapshot_schedule set timed_at = ${then}, resumed_at = ${then}, counted_until = ${then} where id = '${id}'`,
    )
    await ask(update, { id, keep: 1 })
    const hasFailed = async (): Promise<boolean> =>
      (await ask(`{ snapshotSchedule(id: "${id}") { failuresInRow } }`)).snapshotSchedule
        .failuresInRow === failures
    await waitFor(hasFailed, { timeoutMs: 15_000, what: `failure ${failures}` })
  }
  const { page } = await browser.root('/snapshots?show=schedules')
  const badge = row(page, 'given-up').getByText('Given up')
  await badge.hover()
  await page
    .getByRole('tooltip')
    .getByText(/quota.*resume the schedule/)
    .waitFor()
  await page.getByRole('button', { name: 'given-up', exact: true }).click()
  const drawer = page.getByRole('dialog', { name: 'given-up' })
  await drawer.getByRole('alert').getByText(/quota/).waitFor()
  expect(await drawer.getByRole('button', { name: 'Pause' }).getAttribute('aria-disabled')).toBe(
    'true',
  )
  expect(await violations(page)).toEqual([])
})

test('a VM schedule is created by keyboard alone, also when disks will be missing', async () => {
  const vm = await aVmFor(ask, { name: 'db-1', start: false })
  const { page } = await browser.root(`/vms/${vm.name}?tab=snapshots`)
  await page.getByRole('region', { name: 'Schedules of this machine, table' }).waitFor()
  await page.getByText('No schedules yet').waitFor()
  await page.getByRole('button', { name: 'New schedule' }).first().focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'New schedule for db-1' })
  await dialog.waitFor()
  await page.keyboard.type('hourly')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Every h')
  await page.keyboard.press('Tab')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('15')
  await page.keyboard.press('Enter')
  await dialog.getByRole('alert').getByText(/db-1/).waitFor()
  expect(await violations(page)).toEqual([])
  const missing = dialog.getByRole('switch', { name: 'Also where disks will be missing' })
  while (!(await missing.evaluate((element) => element === document.activeElement)))
    await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await dialog.waitFor(gone)
  await row(page, 'hourly').getByText('Every hour at minute 15').waitFor()
  expect(await schedules()).toContainEqual(
    expect.objectContaining({ name: 'hourly', cron: '15 * * * *', acceptMissing: true }),
  )
  const opener = page.getByRole('button', { name: 'New schedule' }).first()
  await expect
    .poll(() => opener.evaluate((element) => element === document.activeElement), soon)
    .toBe(true)

  await page.goto('/vm-snapshots?show=schedules')
  await row(page, 'hourly').getByRole('link', { name: vm.name }).waitFor()
  await page.getByRole('button', { name: 'Actions for hourly' }).click()
  await page.getByRole('menuitem', { name: 'Its snapshots' }).click()
  await page.getByRole('tab', { name: 'Snapshots', selected: true }).waitFor()
})

test('a viewer sees schedules with the reason why each action is disabled', async () => {
  const vm = await aVmFor(ask, { name: 'viewed-1', start: false })
  const create =
    'mutation ($i: CreateSnapshotScheduleInput!) { createSnapshotSchedule(input: $i) { snapshotSchedule { id } } }'
  await ask(create, {
    name: 'viewed',
    vmId: vm.id,
    cron: '0 0 1 * *',
    keep: 1,
    acceptMissing: true,
  })
  await ask('mutation ($i: CreateUserInput!) { createUser(input: $i) { user { id } } }', {
    username: 'schedule-viewer',
    password: 'looks but does not touch',
    roleName: 'tenant.viewer',
  })
  const { page, logIn, open } = await browser.someone()
  await logIn('schedule-viewer', 'looks but does not touch')
  await open('/vm-snapshots?show=schedules')
  const add = page.getByRole('button', { name: 'New schedule' }).first()
  await expect.poll(() => add.getAttribute('aria-disabled'), soon).toBe('true')
  await row(page, 'viewed').getByText('Every month on day 1 at 00:00').waitFor()
  await page.getByRole('button', { name: 'Actions for viewed' }).click()
  for (const action of ['Change', 'Pause', 'Resume', 'Delete']) {
    const item = page.getByRole('menuitem', { name: new RegExp(`^${action}`) })
    await item.getByText('Your role does not allow this').waitFor()
    expect(await item.getAttribute('aria-disabled')).toBe('true')
  }
})
