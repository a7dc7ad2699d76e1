import { expect, test } from 'vitest'
import { pages } from './pages.ts'

test('every folder with a page is a row of the table of pages', () => {
  const folders = Object.keys(import.meta.glob('./*/*Page.vue', { base: '../pages' }))
    .map((file) => file.split('/')[1])
    .toSorted()
  expect(folders).toEqual(pages.map(({ page }) => page).toSorted())
})
