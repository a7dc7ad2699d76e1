import { expect, test } from 'vitest'
import { violations } from '../support/browser/accessibility.ts'
import { aBrowser, soon } from '../support/browser/browser.ts'
import { aBuiltBerth } from '../support/browser/berth.ts'
import { aVmFor, graphOf } from '../support/browser/root-client.ts'
import { choose, gone } from '../support/browser/page.ts'

const berth = await aBuiltBerth()
const browser = await aBrowser(berth.url)

test('the overview counts all and running VMs and reports their health, live', async () => {
  const { page } = await browser.root('/')
  const vmCount = page.getByRole('main').getByRole('link', { name: /^VMs/ })
  await expect.poll(() => vmCount.innerText(), soon).toMatch(/^VMs\s+0$/)
  const health = page.getByRole('link', { name: 'No machine is in trouble' })
  expect(await health.count()).toBe(0)
  const graph = await graphOf(berth.url)
  await aVmFor(graph, { name: 'db-1' })
  await expect.poll(() => vmCount.innerText(), soon).toMatch(/^VMs\s+1\s+1 running$/)
  await health.click()
  await page.waitForURL('/vms')
})

test('a tenant gets limits from root, a stale change of them is refused, and the overview shows the rest', async () => {
  const [first, second] = await Promise.all([browser.root('/tenants'), browser.root('/tenants')])
  for (const { page } of [first, second]) {
    await choose(page, { row: 'Default', item: 'Limits' })
    await expect
      .poll(() => page.getByLabel('VMs').getAttribute('placeholder'), soon)
      .toBe('No limit')
    await page.getByText('1 in use').first().waitFor()
  }
  const { page } = first
  await page.getByLabel('VMs').fill('four')
  await page.getByLabel('Memory').fill('2048')
  await page.getByRole('button', { name: 'Save limits' }).click()
  await page.getByText('A whole number').waitFor()
  await page.getByLabel('VMs').fill('4')
  await page.getByRole('button', { name: 'Save limits' }).click()
  await page.getByRole('dialog').waitFor(gone)
  await second.page.getByLabel('VMs').fill('9')
  await second.page.getByRole('button', { name: 'Save limits' }).click()
  await second.page.getByRole('dialog').getByRole('alert').waitFor()

  await page.getByRole('link', { name: 'Overview' }).click()
  const quota = page.getByRole('list', { name: 'Quota' })
  const vmQuota = quota.getByRole('listitem').filter({ hasText: 'VMs' })
  await vmQuota.getByText('1 of 4').waitFor()
  await quota.getByText('256 MiB of 2 GiB').waitFor()
  await page.getByRole('link', { name: 'Tenants', exact: true }).click()
  await choose(page, { row: 'Default', item: 'Limits' })
  await expect.poll(() => page.getByLabel('VMs').inputValue(), soon).toBe('4')
  await page.getByLabel('VMs').fill('')
  await page.getByRole('button', { name: 'Save limits' }).click()
  await page.getByRole('dialog').waitFor(gone)
  await page.getByRole('link', { name: 'Overview' }).click()
  await vmQuota.getByText('1, no limit').waitFor()
})

test('root sees capacity and allocation, low-capacity warnings, and "unknown" when nodes cannot be listed', async () => {
  const { page } = await browser.root('/')
  const capacity = page.getByRole('region', { name: 'Capacity of the cluster' })
  await capacity.getByText('3 of 3 take machines').waitFor()
  await capacity.getByText('1 of 384 cores').waitFor()
  await capacity.getByText(/^256 MiB of [\d.,]+ GiB$/).waitFor()

  // The nodes are read once a minute and recorded only when they have changed.
  await berth.sql(
    `update cluster_capacity set hosts = hosts || '{"ready": 2, "open": 2, "memoryMi": 600}'`,
  )
  await page.reload()
  await capacity.getByText('Little memory is left').waitFor()
  await capacity.getByText('2 of 3 take machines').waitFor()
  await capacity.getByText('1 is not ready').waitFor()

  await berth.sql(`update cluster_capacity set silent_since = now() - interval '10 minutes'`)
  await page.reload()
  await capacity.getByText('What the hosts have is as of 10 minutes ago.').waitFor()

  await berth.sql(
    `update cluster_capacity set hosts = null, gap = 'not_permitted', silent_since = null`,
  )
  await page.reload()
  await capacity.getByText('Give its service account the right to list nodes.').waitFor()
  await capacity.getByText('256 MiB promised').waitFor()
})

test('a tenant admin does not see the capacity of the cluster', async () => {
  const { page, logIn } = await browser.someone()
  const graph = await graphOf(berth.url)
  await graph('mutation ($i: CreateTenantInput!) { createTenant(input: $i) { tenant { id } } }', {
    name: 'Harbour',
    slug: 'harbour',
    adminPassword: 'admin of one harbour',
  })
  await logIn('harbour-admin', 'admin of one harbour')
  await page.getByRole('region', { name: 'Quota' }).waitFor()
  expect(await page.getByRole('region', { name: 'Capacity of the cluster' }).count()).toBe(0)
})

test('the page of the cluster shows what it offers, and why it does not offer the rest', async () => {
  const { page } = await browser.root('/')
  await page.getByRole('link', { name: 'Cluster', exact: true }).click()
  await page.getByRole('heading', { name: 'Cluster', level: 1 }).waitFor()
  const features = page.getByRole('list', { name: 'Features' }).getByRole('listitem')
  await features.first().waitFor()
  expect(await features.count()).toBe(12)
  const drivers = page.getByRole('list', { name: 'Network drivers' }).getByRole('listitem')
  const kubeOvn = drivers.filter({ hasText: 'kube-ovn' })
  await kubeOvn.getByText('Kube-OVN is not installed in the cluster').waitFor()
  await kubeOvn.getByText('Not available').waitFor()
  await page
    .getByRole('heading', { name: /^Storage class/ })
    .first()
    .waitFor()
  expect(await violations(page)).toEqual([])
})
