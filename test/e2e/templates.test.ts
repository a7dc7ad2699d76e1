import { afterAll, expect, test } from 'vitest'
import { aBrowser, soon } from '../support/browser/browser.ts'
import { aBuiltBerth } from '../support/browser/berth.ts'
import { choose, gone, row } from '../support/browser/page.ts'
import { serveImages } from '../support/sandbox/image-server.ts'

const berth = await aBuiltBerth()
const browser = await aBrowser(berth.url)
const images = await serveImages()
afterAll(() => images[Symbol.asyncDispose]())
/** CDI retries an import several times before it reports a failure. */
const patient = { timeout: 45_000 } as const

test('a failed ISO import shows its reason, succeeds from another URL, and its template can be deployed', async () => {
  const [{ page }, other] = await Promise.all([
    browser.root('/templates'),
    browser.root('/templates'),
  ])
  await page.getByRole('button', { name: 'New template' }).click()
  await page.getByRole('radio', { name: 'ISO image' }).check()
  await page.getByRole('button', { name: 'Import ISO' }).click()
  await page.getByText('Give it a name').waitFor()
  await page.getByLabel('Name', { exact: true }).fill('Installer')
  await page.getByLabel('URL of the ISO').fill(images.missing)
  await page.getByRole('textbox', { name: 'Room for the ISO' }).fill('1')
  await page.getByRole('button', { name: 'Import ISO' }).click()
  await page.getByRole('dialog').waitFor(gone)
  await row(other.page, 'Installer')
    .getByRole('progressbar', { name: 'Import of Installer' })
    .waitFor()
  await row(page, 'Installer').getByText('There is no image under this URL').waitFor(patient)
  await row(other.page, 'Installer').getByText('Import failed').waitFor()

  await choose(page, { row: 'Installer', item: 'Import again' })
  const dialog = page.getByRole('dialog', { name: 'Import again' })
  await dialog.getByText('There is no image under this URL').waitFor()
  await dialog.getByLabel('URL of the ISO').fill(`${images.origin}/small.iso`)
  await dialog.getByRole('button', { name: 'Import again' }).click()
  await row(page, 'Installer').getByText('Active').waitFor(patient)
  await row(other.page, 'Installer').getByText('Active').waitFor()
  await choose(page, { row: 'Installer', item: 'Deploy a machine' })
  await expect
    .poll(() => page.getByRole('radio', { name: /Installer/ }).isChecked(), soon)
    .toBe(true)
})

test('an import can be cancelled, and its template can be deleted', async () => {
  const { page } = await browser.root('/templates')
  await page.getByRole('button', { name: 'New template' }).click()
  await page.getByRole('radio', { name: 'ISO image' }).check()
  await page.getByLabel('Name', { exact: true }).fill('Too slow')
  await page.getByLabel('URL of the ISO').fill(`${images.origin}/endless.slow.iso`)
  await page.getByRole('button', { name: 'Import ISO' }).click()
  await row(page, 'Too slow').getByRole('progressbar').waitFor()
  await choose(page, { row: 'Too slow', item: 'Cancel the import' })
  await row(page, 'Too slow').getByText('Import failed').waitFor(patient)
  await choose(page, { row: 'Too slow', item: 'Delete' })
  await page.getByRole('button', { name: 'Delete template' }).click()
  await row(page, 'Too slow').waitFor({ ...gone, ...patient })
})

test('platform templates can be used but not changed', async () => {
  const { page } = await browser.root('/templates?show=platform')
  await row(page, 'CirrOS').getByText('Platform').waitFor()
  await page.getByRole('button', { name: 'Actions for CirrOS' }).click()
  for (const name of [/^Edit .*belongs to the platform/, /^Delete .*belongs to the platform/])
    expect(await page.getByRole('menuitem', { name }).getAttribute('aria-disabled')).toBe('true')
})

test('an SSH key pair is created, shows its private key once, and is deleted', async () => {
  const { page } = await browser.root('/ssh-keys')
  await page.getByText('No SSH keys yet').waitFor()
  await page.getByRole('button', { name: 'New SSH key' }).first().click()
  await page.getByRole('radio', { name: 'Make a new pair' }).check()
  await page.getByLabel('Name', { exact: true }).fill('laptop')
  await page.getByRole('button', { name: 'Make the pair' }).click()
  const once = page.getByRole('region', { name: 'Private key' })
  await once.getByText('BEGIN OPENSSH PRIVATE KEY').waitFor()
  await page.keyboard.press('Escape')
  await once.waitFor()
  await page.getByRole('button', { name: 'I have kept it' }).click()
  await row(page, 'laptop').getByText('ssh-ed25519').waitFor()
  expect(await page.content()).not.toContain('PRIVATE KEY')
  await page.getByRole('button', { name: 'Delete laptop' }).click()
  await page.getByRole('button', { name: 'Delete key' }).click()
  await page.getByText('No SSH keys yet').waitFor()
})

test('an invalid public key is refused at its field and keeps the input', async () => {
  const { page } = await browser.root('/ssh-keys')
  await page.getByRole('button', { name: 'New SSH key' }).first().click()
  const key = page.getByLabel('Public key')
  await key.fill('ssh-ed25519 nonsense maria@laptop')
  await page.getByLabel('Name', { exact: true }).focus()
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('maria')
  await page.getByRole('button', { name: 'Register key' }).click()
  await expect.poll(() => key.getAttribute('aria-invalid'), soon).toBe('true')
  expect(await key.inputValue()).toContain('nonsense')
})
