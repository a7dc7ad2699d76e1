import { expect, test } from 'vitest'
import { aBrowser, soon } from '../support/browser/browser.ts'
import { aBuiltBerth } from '../support/browser/berth.ts'
import { gone, live } from '../support/browser/page.ts'

const berth = await aBuiltBerth()
const browser = await aBrowser(berth.url)

test('a hint opens on focus or hover, can be hovered itself, and closes with Escape', async () => {
  const { page } = await browser.root('/settings')
  const mark = page.getByRole('button', { name: /^Freshness/ })
  const hint = page.getByRole('tooltip')
  await mark.focus()
  await hint.getByText('Every change appears by itself.').waitFor()
  expect(await mark.getAttribute('aria-describedby')).toBe(await hint.getAttribute('id'))
  await page.keyboard.press('Escape')
  await hint.waitFor(gone)
  await mark.hover()
  await hint.hover()
  await expect.poll(() => hint.count(), soon).toBe(1)
  await page.getByRole('heading', { level: 1 }).hover()
  await hint.waitFor(gone)
})

test('a menu that opens by a key starts at its first item and returns the focus', async () => {
  const { page } = await browser.root('/settings')
  const menu = page.getByRole('button', { name: /account of root/ })
  for (const key of ['Enter', 'ArrowDown', ' ']) {
    await menu.press(key)
    await page.getByRole('menuitem', { name: 'Settings' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.getByRole('menuitem', { name: 'System theme' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor(gone)
    await menu.and(page.locator(':focus')).waitFor()
  }
})

test('a menu opens while Berth is offline', async () => {
  const { page } = await browser.root('/settings')
  browser.expects(/Failed to load|ERR_/)
  const fetched = page.waitForResponse(/UiMenuList/)
  await page.mouse.move(300, 300)
  await fetched
  await page.context().setOffline(true)
  await page.getByRole('button', { name: /account of root/ }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).waitFor()
  await page.context().setOffline(false)
  await live(page)
})
