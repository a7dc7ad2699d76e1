import { expect, test } from 'vitest'
import { aBrowser, soon } from '../support/browser/browser.ts'
import { layoutOf, violations } from '../support/browser/accessibility.ts'
import { aBuiltBerth, rootPassword } from '../support/browser/berth.ts'
import { graphOf } from '../support/browser/root-client.ts'
import { gone } from '../support/browser/page.ts'

const berth = await aBuiltBerth()
const browser = await aBrowser(berth.url)
const languageOf = (page: {
  locator(selector: string): { getAttribute(name: string): Promise<string | null> }
}) => page.locator('html').getAttribute('lang')

test('Português can be chosen in the settings, applies to every page at once, and survives a reload', async () => {
  const { page } = await browser.root('/settings')
  expect(await languageOf(page)).toBe('en')
  await page
    .getByRole('group', { name: 'Language' })
    .getByRole('radio', { name: 'Português' })
    .check()
  await page.getByRole('heading', { level: 1, name: 'Configurações' }).waitFor()
  await expect.poll(() => page.title(), soon).toBe('Configurações · Berth')
  expect(await languageOf(page)).toBe('pt-BR')

  const main = page.getByRole('navigation', { name: 'Principal' })
  await main.getByRole('link', { name: 'Tenants', exact: true }).click()
  await page.getByRole('button', { name: 'Novo tenant' }).first().click()
  await page.getByLabel('Nome', { exact: true }).fill('Ancoradouro')
  await page.getByRole('button', { name: 'Criar tenant' }).click()
  await page.getByRole('button', { name: 'Acompanhar a criação' }).click()
  const drawer = page.getByRole('dialog', { name: 'Criar tenant' })
  await drawer.getByText('Criar o namespace').waitFor()
  await drawer.getByText('Concluída', { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await drawer.waitFor(gone)

  await main.getByRole('link', { name: 'Operações' }).click()
  const created = page.getByRole('link', { name: /Criar tenant ancoradouro/i }).getByRole('time')
  // The language formats times: `há 5 segundos`, and `22 de nov. de 2026` in the title.
  await expect.poll(() => created.textContent(), soon).toMatch(/^(agora mesmo|há .+)$/)
  await created.hover()
  expect(await created.getAttribute('title')).toMatch(/^\d+ de \p{L}+\. de \d{4}/u)

  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Operações' }).waitFor()
  expect(await languageOf(page)).toBe('pt-BR')
  await main.getByRole('link', { name: 'Configurações' }).click()
  await page.getByRole('group', { name: 'Idioma' }).getByRole('radio', { name: 'English' }).check()
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
})

test('a browser that prefers Portuguese gets the login page and its errors in Portuguese', async () => {
  browser.expects(/status of 401/)
  const { page, open } = await browser.someone({ locale: 'pt-PT' })
  await open('/login')
  await page.getByLabel('Nome de usuário').fill('root')
  await page.getByLabel('Senha', { exact: true }).fill('not it')
  await page.getByRole('button', { name: 'Entrar' }).click()
  await page.getByRole('alert').getByText('O nome de usuário ou a senha está errado').waitFor()
  await page.getByLabel('Senha', { exact: true }).fill(rootPassword)
  await page.getByRole('button', { name: 'Entrar' }).click()
  await page.getByRole('heading', { level: 1, name: 'Visão geral' }).waitFor()
})

test('a browser that prefers an unsupported language gets English', async () => {
  const { page, open } = await browser.someone({ locale: 'fi-FI' })
  await open('/login')
  await page.getByRole('heading', { level: 1, name: 'Log in' }).waitFor()
  expect(await languageOf(page)).toBe('en')
})

test('the effects of deleting a volume are listed in Português', async () => {
  const graph = await graphOf(berth.url)
  const create =
    'mutation ($i: CreateVolumeInput!) { createVolume(input: $i, waitSeconds: 30) { volume { id } } }'
  const { volume } = (await graph(create, { name: 'dados', sizeGi: 2 })).createVolume
  const { page } = await browser.root('/settings')
  await page.evaluate(() => (document.cookie = 'berth-language=pt-BR; path=/'))
  await page.goto(`/volumes?volume=${volume.id}`)
  await page.getByRole('dialog').getByRole('button', { name: 'Excluir' }).click()
  const fates = page.getByRole('list', { name: 'O que acontece' }).getByRole('listitem')
  await fates.first().waitFor()
  expect(await fates.allInnerTexts()).toEqual([
    expect.stringContaining('Tudo o que há nos 2 GiB é apagado'),
    expect.stringContaining('O nome dados fica livre'),
    expect.stringContaining('continua nos registros'),
  ])
})

test('the reason for a refusal is shown in Português on the button and after a request', async () => {
  const { page } = await browser.root('/settings')
  await page.evaluate(() => (document.cookie = 'berth-language=pt-BR; path=/'))
  await page.goto('/vpcs')
  await page.getByRole('button', { name: 'Ações para default' }).click()
  await page
    .getByRole('menuitem', { name: /^Excluir/ })
    .getByText('A VPC default é a primeira VPC do tenant')
    .waitFor()

  await page.goto('/tenants')
  await page.getByRole('button', { name: 'Novo tenant' }).first().click()
  await page.getByLabel('Nome', { exact: true }).fill('Default')
  await page.getByRole('button', { name: 'Criar tenant' }).click()
  await page
    .getByRole('alert')
    .getByText('Já existe um tenant com o slug default; escolha outro.')
    .waitFor()
})

test.each([1360, 360])('pages in Português fit %i pixels and pass axe', async (width) => {
  const { page, open, logIn } = await browser.someone({
    locale: 'en',
    viewport: { width, height: 860 },
  })
  await logIn()
  await page.evaluate(() => (document.cookie = 'berth-language=pt-BR; path=/'))
  const faults: string[] = []
  for (const [path, heading] of Object.entries(headings)) {
    await open(path)
    await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor()
    await page.locator('[aria-busy=true]').waitFor(gone)
    const { overhang, hidden } = await layoutOf(page)
    if (overhang > 0) faults.push(`${path}: ${overhang} pixels too wide`)
    if (hidden > 0) faults.push(`${path}: a table has ${hidden} pixels out of sight`)
    faults.push(...(await violations(page)).map((violation) => `${path}: ${violation}`))
  }
  expect(faults).toEqual([])
})

const headings = {
  '/': 'Visão geral',
  '/settings': 'Configurações',
  '/volumes': 'Volumes',
  '/vpcs': 'VPCs',
  '/security-groups': 'Grupos de segurança',
  '/access': 'Acesso',
}
