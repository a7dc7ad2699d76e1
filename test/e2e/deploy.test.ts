import { expect, test } from 'vitest'
import { aBrowser, soon } from '../support/browser/browser.ts'
import { aBuiltBerth } from '../support/browser/berth.ts'
import { graphOf } from '../support/browser/root-client.ts'
import { gone } from '../support/browser/page.ts'

const yaml = `
network: { driver: bridge-vlan, bridge: { name: br-berth, vlans: 100-101 } }
platform: { networking: { public: {
  enabled: true, bridge: { name: br-public }, cidr: 203.0.113.0/24, ipPool: 203.0.113.10-203.0.113.29 } } }`
const berth = await aBuiltBerth({ yaml })
const browser = await aBrowser(berth.url)
const ask = await graphOf(berth.url)

test('a VM is deployed to a network that is created on the way, with a public address and a free volume', async () => {
  const wait = 'waitSeconds: 30'
  const make = `mutation ($i: CreateVolumeInput!) { createVolume(input: $i, ${wait}) { volume { id } } }`
  const { volume } = (await ask(make, { name: 'orders', sizeGi: 3 })).createVolume
  const { page } = await browser.root('/deploy')
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('shop-1')
  await page.getByRole('radio', { name: /CirrOS/ }).check()

  await page.getByRole('button', { name: 'Plan a network' }).click()
  const dialog = page.getByRole('dialog', { name: 'New network' })
  await dialog.getByLabel('Name', { exact: true }).fill('shop')
  await dialog.getByRole('button', { name: '10.0.9.0/24, free' }).click()
  await dialog.getByRole('button', { name: 'Create network' }).click()
  await dialog.waitFor(gone)
  const planned = page
    .getByRole('group', { name: 'Private networks' })
    .getByRole('checkbox', { name: 'shop 10.0.9.0/24' })
  await expect.poll(() => planned.isChecked(), soon).toBe(true)
  expect(await page.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe('shop-1')

  await page.getByLabel('Volume for its data').selectOption('orders · 3 GiB')
  await page.getByRole('switch', { name: 'Public address' }).click()
  const summary = page.getByRole('complementary', { name: 'Summary' })
  await summary.getByText('The same as a call of the API').click()
  await summary.getByRole('radio', { name: 'Terraform' }).check()
  const call = summary.getByRole('region', { name: 'The same as a call of the API' })
  for (const line of [/public_ip +\= true/, new RegExp(`data_volume_id +\\= "${volume.id}"`)])
    expect(await call.innerText()).toMatch(line)
  await page.getByRole('button', { name: 'Deploy machine' }).click()
  await page.getByRole('heading', { level: 1, name: 'shop-1' }).waitFor()

  const query = '{ vmByName(name: "shop-1") { nics { address } volumes { name } } }'
  const { nics, volumes } = (await ask(query)).vmByName as {
    nics: { address: string | null }[]
    volumes: { name: string }[]
  } // the fields of the query
  const addresses = nics.map(({ address }) => address)
  expect(addresses).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^203\.0\.113\./),
      expect.stringMatching(/^10\.0\.9\./),
    ]),
  )
  expect(volumes).toEqual([{ name: 'orders' }])
})

test('a network that cannot be created is no longer awaited, and the page shows the reason', async () => {
  const { page } = await browser.root('/deploy')
  const plan = page.getByRole('button', { name: 'Plan a network' })
  const dialog = page.getByRole('dialog', { name: 'New network' })
  for (const name of ['quay', 'pier']) {
    await plan.click()
    await dialog.getByLabel('Name', { exact: true }).fill(name)
    // The button moves when the map of addresses appears.
    await dialog.getByText('Suggested, the next free block').waitFor()
    await dialog.getByRole('button', { name: 'Create network' }).click()
    await dialog.waitFor(gone)
  }
  const alert = page.getByRole('alert').filter({ hasText: 'Network pier is not ready' })
  await alert.getByText(/more VLAN tags/).waitFor()
  expect(await page.getByRole('checkbox', { name: /^pier/ }).count()).toBe(0)
})
