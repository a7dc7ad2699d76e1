import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { aBrowser } from '../support/browser/browser.ts'
import { violations } from '../support/browser/accessibility.ts'
import { aBuiltBerth } from '../support/browser/berth.ts'

const berth = await aBuiltBerth()
const browser = await aBrowser(berth.url)

const answer = (page: Page) => page.getByRole('textbox', { name: 'Answer' })

async function write(page: Page, document: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Query' }).click()
  await page.keyboard.press('Control+A')
  await page.keyboard.insertText(document)
}

test('a query runs as the logged-in user', async () => {
  const { page } = await browser.root('/playground')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await page.getByText(/^200 · \d+ ms/).waitFor()
  await answer(page).getByText('"root"').first().waitFor()
  await page.getByRole('button', { name: 'Docs' }).click()
  await page.getByRole('button', { name: 'Mutation' }).click()
  expect(await violations(page)).toEqual([])
})

test('a mutation is executed with its variables', async () => {
  const { page } = await browser.root('/playground')
  await write(
    page,
    'mutation M($input: CreateTenantInput!) { createTenant(input: $input) { tenant { slug } } }',
  )
  await page.getByRole('textbox', { name: 'Variables' }).click()
  await page.keyboard.insertText(
    '{"input": {"name": "Played", "slug": "played", "adminPassword": "a long enough one"}}',
  )
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await answer(page).getByText('"played"').first().waitFor()
  await page.getByRole('link', { name: 'Tenants', exact: true }).click()
  await page.getByRole('row').filter({ hasText: 'Played' }).getByText('Active').waitFor()
})

test('a subscription streams changes of other users until it is stopped', async () => {
  const { page } = await browser.root('/playground')
  const other = await browser.root('/access?tab=keys')
  await write(page, 'subscription Watch { changes { kind objectId } }')
  await page.keyboard.press('Control+Enter')
  await page.getByText('Listening', { exact: true }).waitFor()
  const makeKey = async (name: string) => {
    await other.page.getByRole('button', { name: 'New API key' }).first().click()
    await other.page.getByLabel('Name', { exact: true }).fill(name)
    await other.page.getByRole('button', { name: 'Create key' }).click()
    await other.page.getByRole('button', { name: 'I have kept it' }).click()
  }
  await makeKey('while-listening')
  await page.getByText(/Listening · [1-9]/).waitFor()
  await answer(page).getByText('"api_key"').first().waitFor()
  await page.getByRole('button', { name: 'Stop' }).click()
  const status = page.getByText(/^Stopped after \d+ event/)
  await status.waitFor()
  const textBefore = await status.innerText()
  await makeKey('after-stop')
  expect(await status.innerText()).toBe(textBefore)
})

test('an invalid document shows its error, and a document that is not GraphQL is not sent', async () => {
  browser.expects(/status of 400/)
  const { page } = await browser.root('/playground')
  await write(page, 'query { nothingOfTheKind }')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await answer(page).getByText('nothingOfTheKind').first().waitFor()
  await write(page, 'query {')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await page.getByText('Not sent').waitFor()
})
