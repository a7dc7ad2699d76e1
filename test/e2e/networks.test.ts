import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { aBrowser, soon } from '../support/browser/browser.ts'
import { violations } from '../support/browser/accessibility.ts'
import { aBuiltBerth } from '../support/browser/berth.ts'
import { aVmFor, graphOf } from '../support/browser/root-client.ts'
import { choose, gone, row } from '../support/browser/page.ts'

const yaml = `platform: { networking: { public: {
  enabled: true, bridge: { name: br-public }, cidr: 203.0.113.0/24, ipPool: 203.0.113.10-203.0.113.29 } } }`
const berth = await aBuiltBerth({ yaml })
const browser = await aBrowser(berth.url)
const ask = await graphOf(berth.url)

const addresses = (page: Page): Promise<string> =>
  page.getByLabel('Addresses', { exact: true }).inputValue()
const block = (page: Page, words: string | RegExp) =>
  page.getByRole('group', { name: /^Blocks of/ }).getByRole('button', { name: words })

async function newNetwork(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'New network' }).first().click()
  await page.getByLabel('Name', { exact: true }).fill(name)
  await block(page, '10.0.0.0/24, used by network default').waitFor()
}

test('a network can be created by a click on the map: free blocks are selectable, and used ones name their user', async () => {
  const { page } = await browser.root('/networks')
  await newNetwork(page, 'Front “end”')
  expect(await addresses(page)).toBe('10.0.1.0/24')
  for (const refused of [
    /^10\.0\.0\.0\/24, used by network default$/,
    /^10\.0\.2\.0\/24, used inside every VM/,
  ])
    expect(await block(page, refused).getAttribute('aria-disabled')).toBe('true')
  await block(page, /^10\.0\.0\.0\/24/).press('Enter')
  expect(await addresses(page)).toBe('10.0.1.0/24')
  await block(page, '10.0.7.0/24, free').click()
  expect(await addresses(page)).toBe('10.0.7.0/24')
  expect(await block(page, /^10\.0\.7\.0\/24/).getAttribute('aria-pressed')).toBe('true')
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Create network' }).click()
  await row(page, 'Front “end”').getByRole('cell', { name: '10.0.7.0/24', exact: true }).waitFor()
  await row(page, 'Front “end”').getByText('Active').waitFor()
})

test('a network dialog that opens again offers no addresses before it knows the free ones', async () => {
  const { page } = await browser.root('/networks')
  await newNetwork(page, 'first')
  const offered = await addresses(page)
  await page.getByRole('button', { name: 'Create network' }).click()
  await row(page, 'first').waitFor()
  const answers = Promise.withResolvers<undefined>()
  const planRequested = Promise.withResolvers<undefined>()
  await page.route('**/graphql', async (route) => {
    if (route.request().postData()?.includes('NetworkCidrPlan')) {
      planRequested.resolve(undefined)
      await answers.promise
    }
    await route.continue()
  })
  await page.getByRole('button', { name: 'New network' }).first().click()
  await planRequested.promise
  expect(await page.getByLabel('Addresses', { exact: true }).count()).toBe(0)
  answers.resolve(undefined)
  expect(await addresses(page)).not.toBe(offered)
})

test('a network cannot be created before the dialog knows the VPCs', async () => {
  const { page } = await browser.root('/deploy')
  const answers = Promise.withResolvers<undefined>()
  await page.route('**/graphql', async (route) => {
    if (route.request().postData()?.includes('query Vpcs(')) await answers.promise
    await route.continue()
  })
  await page.getByRole('button', { name: 'Plan a network' }).click()
  const dialog = page.getByRole('dialog', { name: 'New network' })
  await dialog.getByLabel('Name', { exact: true }).fill('hasty')
  const create = dialog.getByRole('button', { name: 'Create network' })
  expect(await create.getAttribute('aria-disabled')).toBe('true')
  answers.resolve(undefined)
  await create.click()
  await dialog.waitFor(gone)
})

test('a network lists its used addresses and cannot be deleted while a VM has one', async () => {
  const { page } = await browser.root('/networks')
  const { vpcs } = await ask('{ vpcs(filter: { search: "default" }) { nodes { id } } }')
  const create =
    'mutation ($i: CreateNetworkInput!) { createNetwork(input: $i) { network { id } } }'
  // The dialogs of earlier tests take the lowest free blocks.
  const { network } = (
    await ask(create, { name: 'back', vpcId: vpcs.nodes[0].id, cidr: '10.0.90.0/24' })
  ).createNetwork
  await row(page, 'back').getByText('Active').waitFor()
  await page.getByRole('button', { name: 'back', exact: true }).click()
  const drawer = page.getByRole('dialog', { name: 'back' })
  await drawer.getByText('0 of 253 given').waitFor()
  const vm = await aVmFor(ask, { name: 'back-1', start: false, networkIds: [network.id] })
  await drawer.getByText('1 of 253 given').waitFor()
  const allocations = drawer
    .getByRole('list', { name: 'Who has which address' })
    .getByRole('listitem')
  await allocations
    .filter({ hasText: vm.name })
    .getByText(/^10\.0\.90\.\d+$/)
    .waitFor()
  await allocations
    .filter({ hasText: 'the gateway' })
    .getByText('10.0.90.1', { exact: true })
    .waitFor()
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Actions for back' }).click()
  await page
    .getByRole('menuitem', { name: /^Delete/ })
    .getByText(/VMs use it: back-1/)
    .waitFor()
})

test('a VM with two addresses shows their count and lists them in its row', async () => {
  const { networks } = await ask('{ networks(first: 1) { nodes { id } } }')
  await aVmFor(ask, { name: 'twofold', networkIds: [networks.nodes[0].id] })
  const { page } = await browser.root('/vms?search=twofold')
  await row(page, 'twofold').getByText('+1', { exact: true }).waitFor({ timeout: 30_000 })
  const { addresses } = (await ask('{ vmByName(name: "twofold") { addresses } }')).vmByName
  expect(addresses).toHaveLength(2)
  expect(await row(page, 'twofold').getByTitle(addresses[1]).getAttribute('title')).toBe(
    addresses.join('\n'),
  )
  expect(await row(page, 'twofold').getByRole('cell').allInnerTexts()).toContainEqual(
    expect.stringContaining(`and ${addresses[1]}`),
  )
})

test('the public network shows the used part of its pool and an example configuration', async () => {
  const { page } = await browser.root('/networks/public')
  await page.getByText('20 free').waitFor()
  await aVmFor(ask, { name: 'outside-1', start: false, publicIp: true })
  await page.getByText('19 free').waitFor()
  await page.getByText('1 of 20 are given to machines').waitFor()
  await page.getByText('203.0.113.0/24', { exact: true }).waitFor()
  await page
    .getByLabel('Example of the configuration')
    .getByText(/ipPool/)
    .waitFor()
  expect(await violations(page)).toEqual([])
})

test('the address map works by keyboard, shows small blocks inside large ones, and follows other users', async () => {
  const { page } = await browser.root('/networks')
  await newNetwork(page, 'small')
  await page.getByLabel('Size').selectOption({ value: '28' })
  await block(page, /^10\.0\.0\.0\/24/).focus()
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight', 'Enter'])
    await page.keyboard.press(key)
  await block(page, '10.0.3.16/28, free').click()
  expect(await addresses(page)).toBe('10.0.3.16/28')
  const { vpcs } = await ask('{ vpcs { nodes { id isDefault } } }')
  const vpcId = vpcs.nodes.find((vpc: { isDefault: boolean }) => vpc.isDefault).id
  const create =
    'mutation ($i: CreateNetworkInput!) { createNetwork(input: $i) { network { id } } }'
  await ask(create, { name: 'quicker', vpcId, cidr: '10.0.3.16/28' })
  await block(page, '10.0.3.16/28, used by network quicker').waitFor()
  await page.getByRole('button', { name: 'Create network' }).click()
  await page.locator('[aria-invalid=true], [role=alert]').first().waitFor()
  await block(page, '10.0.3.32/28, free').click()
  await page.getByRole('button', { name: 'Create network' }).click()
  await row(page, 'small').getByRole('cell', { name: '10.0.3.32/28', exact: true }).waitFor()

  await choose(page, { row: 'small', item: 'Rename' })
  await page.getByLabel('Name', { exact: true }).fill('smallest')
  await page.getByRole('button', { name: 'Rename' }).click()
  await choose(page, { row: 'smallest', item: 'Delete' })
  await page.getByLabel(/^Type/).fill('smallest')
  await page.getByRole('button', { name: 'Delete network' }).click()
  await row(page, 'smallest').waitFor(gone)
})

test('a VPC is created from the map, shows its networks as a picture, and is deleted with them', async () => {
  const [{ page }, watcher] = await Promise.all([browser.root('/vpcs'), browser.root('/vpcs')])
  await page.getByRole('button', { name: 'New VPC' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Lab')
  await block(page, /^10\.0\.0\.0\/16, used by VPC default/).waitFor()
  await page.getByRole('radio', { name: '172.16.0.0/12' }).check()
  await block(page, '172.20.0.0/16, free').click()
  await page.getByRole('button', { name: 'Create VPC' }).click()
  const card = watcher.page.getByRole('article', { name: 'VPC Lab' })
  await card.getByText('Active').waitFor()
  await card.getByRole('img', { name: /default 172\.20\.0\.0\/24/ }).waitFor()
  await card.getByRole('button', { name: 'Add network' }).click()
  await watcher.page.getByLabel('Name', { exact: true }).fill('benches')
  await block(watcher.page, '172.20.1.0/24, free').waitFor()
  await watcher.page.getByRole('button', { name: 'Create network' }).click()
  await page
    .getByRole('article', { name: 'VPC Lab' })
    .getByRole('img', { name: /benches 172\.20\.1\.0\/24/ })
    .waitFor()

  await page.getByRole('button', { name: 'Actions for default' }).click()
  await page
    .getByRole('menuitem', { name: 'Delete' })
    .getByText(/it is deleted with the tenant/)
    .waitFor()
  await page.keyboard.press('Escape')
  await choose(page, { row: 'Lab', item: 'Delete' })
  const confirm = page.getByRole('button', { name: 'Delete VPC' })
  await page.getByRole('list', { name: 'Networks that go with it' }).getByText('benches').waitFor()
  await page.getByLabel(/^Type/).fill('Lab')
  expect(await confirm.getAttribute('aria-disabled')).toBe('true')
  await page.getByRole('switch', { name: 'Delete its networks as well' }).click()
  expect(await violations(page)).toEqual([])
  await confirm.click()
  await card.waitFor(gone)
})

test('a security group has its rules checked and cannot be deleted while a VM uses it', async () => {
  const { page } = await browser.root('/security-groups')
  await page.getByRole('button', { name: 'New group' }).click()
  await page.getByLabel('Name', { exact: true }).fill('web')
  await page.getByRole('button', { name: 'HTTPS' }).click()
  const second = page.getByRole('listitem', { name: 'Rule 2' })
  await second.getByLabel('Ports').fill('https')
  await page.getByRole('button', { name: 'Create group' }).click()
  await second.getByText('A port as 443').waitFor()
  await second.getByLabel('Ports').fill('8443')
  await page.getByRole('button', { name: 'Add rule' }).click()
  const third = page.getByRole('listitem', { name: 'Rule 3' })
  await third.getByLabel('Protocol').selectOption({ label: 'ICMP' })
  await third.getByLabel('From').selectOption({ label: 'These addresses' })
  await third.getByLabel('Addresses').fill('10.0.0.0/8')
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Create group' }).click()
  await row(page, 'web').getByText('2 rules').waitFor()

  await page.getByRole('button', { name: 'web', exact: true }).click()
  const drawer = page.getByRole('dialog', { name: 'web' })
  await drawer.getByText('TCP 8443').waitFor()
  await drawer.getByText(/Does not hold\./).waitFor()
  expect(await violations(page)).toEqual([])
  const { securityGroups } = await ask(
    '{ securityGroups(filter: { search: "web" }) { nodes { id } } }',
  )
  const vm = await aVmFor(ask, {
    name: 'web-1',
    start: false,
    securityGroupIds: [securityGroups.nodes[0].id],
  })
  await drawer.getByRole('link', { name: vm.name }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Actions for web' }).click()
  await page
    .getByRole('menuitem', { name: 'Delete' })
    .getByText(/VM web-1 uses it/)
    .waitFor()

  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await page.getByRole('button', { name: 'Remove rule 3' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await row(page, 'web').getByText('1 rule', { exact: true }).first().waitFor()
  await ask(
    'mutation ($i: DeleteVmInput!) { deleteVm(input: $i, waitSeconds: 60) { vm { id } } }',
    { id: vm.id },
  )
  const remove = page.getByRole('menuitem', { name: 'Delete' })
  await expect
    .poll(async () => {
      await page.getByRole('button', { name: 'Actions for web' }).click()
      const isFree = (await remove.getAttribute('aria-disabled')) === null
      if (!isFree) await page.keyboard.press('Escape')
      return isFree
    }, soon)
    .toBe(true)
  await remove.click()
  await page.getByRole('button', { name: 'Delete group' }).click()
  await row(page, 'web').waitFor(gone)
})

test('a stopped VM gets a private and a public NIC and loses them, but keeps its first NIC', async () => {
  const { name } = await aVmFor(ask, { name: 'quay-9', start: false })
  const [{ page }, watcher] = await Promise.all([
    browser.root(`/vms/${name}?tab=network`),
    browser.root(`/vms/${name}?tab=network`),
  ])
  const nic = (on: Page, network: string) =>
    on.getByRole('table', { name: 'NICs' }).getByRole('row').filter({ hasText: network })
  const attach = async (network: string): Promise<void> => {
    await page.getByRole('button', { name: 'Attach network' }).click()
    const dialog = page.getByRole('dialog', { name: `Attach a network to ${name}` })
    await dialog.getByRole('radio', { name: network }).check()
    await dialog.getByRole('button', { name: 'Attach network' }).click()
    await dialog.waitFor(gone)
  }
  const detach = page.getByRole('button', { name: /^Detach / })
  expect(await detach.getAttribute('aria-disabled')).toBe('true')
  await attach('default')
  await page.getByText(`${name} gets a NIC in default at once.`).waitFor()
  await nic(watcher.page, 'default')
    .getByText(/^10\.0\.0\.\d+$/)
    .waitFor()
  await nic(watcher.page, 'default')
    .getByText('With the next start')
    .filter({ visible: true })
    .waitFor()
  await attach('Public network')
  await nic(watcher.page, 'Public network')
    .getByText(/^203\.0\.113\.\d+$/)
    .waitFor()
  await nic(watcher.page, 'Public network')
    .getByRole('button', { name: /^Copy the address/ })
    .waitFor()

  await page.getByRole('button', { name: 'Attach network' }).click()
  await page.getByRole('radio', { name: /^default.*already/ }).waitFor()
  expect(await page.getByRole('radio', { name: /^default.*already/ }).isDisabled()).toBe(true)
  await page.keyboard.press('Escape')
  for (const network of ['default', 'Public network']) {
    await watcher.page.getByRole('button', { name: `Detach ${network}` }).click()
    expect(await violations(watcher.page)).toEqual([])
    await watcher.page.getByRole('button', { name: 'Detach network' }).click()
    await nic(page, network).waitFor(gone)
  }
  await expect.poll(() => detach.getAttribute('aria-disabled'), soon).toBe('true')
})

test('a running VM gets a NIC with setup instructions, and loses it while it runs', async () => {
  // The guest must run an agent that reports its NICs.
  const [{ id: templateId }] = (
    await ask('{ vmTemplates(filter: { search: "ubuntu" }) { nodes { id } } }')
  ).vmTemplates.nodes
  const { id, name } = await aVmFor(ask, { name: 'pier-4', templateId, start: true })
  const isUp = async (): Promise<boolean> =>
    (await ask(`{ vm(id: "${id}") { guestOs } }`)).vm.guestOs !== null
  await expect.poll(isUp, soon).toBe(true)
  const { page } = await browser.root(`/vms/${name}?tab=network`)
  const nic = page
    .getByRole('table', { name: 'NICs' })
    .getByRole('row')
    .filter({ hasText: 'default' })
  await page.getByRole('button', { name: 'Attach network' }).click()
  await page.getByRole('radio', { name: 'default' }).check()
  await page.getByRole('dialog').getByRole('button', { name: 'Attach network' }).click()
  await page.getByText(`${name} gets a NIC in default while it runs.`).waitFor()
  await nic.getByText('Attaching').filter({ visible: true }).waitFor()
  await nic.getByText('Connected').filter({ visible: true }).waitFor({ timeout: 45_000 })
  await nic.getByText(/ip address add 10\.0\.0\.\d+\/24 dev/).waitFor()
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Detach default' }).click()
  await page.getByRole('button', { name: 'Detach network' }).click()
  await page.getByText(`${name} loses its NIC in default while it runs.`).waitFor()
  await nic.getByText(/The guest has released the NIC/).waitFor()
}, 120_000)
