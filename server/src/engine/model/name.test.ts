import { expect, test } from 'vitest'
import { displayNameOf } from './name.ts'

test.each([
  { requested: 'Web server', shown: 'Web server' },
  { requested: ' Web ', shown: 'Web' },
  { requested: undefined, shown: 'web-1' },
  { requested: '', shown: 'web-1' },
  { requested: '  ', shown: 'web-1' },
])('the display name $requested of web-1 is shown as $shown', ({ requested, shown }) => {
  expect(displayNameOf(requested, 'web-1')).toBe(shown)
})
