import { expect, test } from 'vitest'
import { type SavedView, viewsFromText, withView } from './saved-views.ts'

test.each([
  { text: null, because: 'nothing was stored', names: [] },
  {
    text: '[{"name":"Down","query":{"state":"stopped"}}]',
    because: 'a view was stored',
    names: ['Down'],
  },
  {
    text: '[{"name":"Down","query":{"state":1}},{"name":"Up","query":{}},7,null]',
    because: 'invalid entries are skipped',
    names: ['Up'],
  },
  { text: '{"name":"Down"}', because: 'the text is not a list', names: [] },
  { text: 'not JSON', because: 'the text is invalid', names: [] },
])('the stored views are read as far as they are valid: $because', ({ text, names }) => {
  expect(viewsFromText(text).map(({ name }) => name)).toEqual(names)
})

test('a saved view replaces one of the same name, and views are sorted by name', () => {
  const views: SavedView[] = [
    { name: 'b', query: { state: 'running' } },
    { name: 'c', query: {} },
  ]
  expect(withView(views, { name: 'a', query: {} }).map(({ name }) => name)).toEqual(['a', 'b', 'c'])
  expect(withView(views, { name: 'b', query: { sort: '-name' } })).toEqual([
    { name: 'b', query: { sort: '-name' } },
    views[1],
  ])
})
