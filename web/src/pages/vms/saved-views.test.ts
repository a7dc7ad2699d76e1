import { expect, test } from 'vitest'
import { type SavedView, viewsFromText, withView } from './saved-views.ts'

test.each([
  { text: null, because: 'nothing was kept', names: [] },
  {
    text: '[{"name":"Down","query":{"state":"stopped"}}]',
    because: 'it was kept',
    names: ['Down'],
  },
  {
    text: '[{"name":"Down","query":{"state":1}},{"name":"Up","query":{}},7,null]',
    because: 'only what is a view counts',
    names: ['Up'],
  },
  { text: '{"name":"Down"}', because: 'it is no list', names: [] },
  { text: 'not JSON', because: 'somebody else wrote it', names: [] },
])('what was kept is read as far as it is understood: $because', ({ text, names }) => {
  expect(viewsFromText(text).map(({ name }) => name)).toEqual(names)
})

test('a view of the same name gives way, and they stand in the order of their names', () => {
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
