import { expect, test } from 'vitest'
import { matching } from './entry.ts'

const entries = [
  { label: 'Networks' },
  { label: 'New network', also: 'create subnet' },
  { label: 'Public network' },
  { label: 'New volume', also: 'create disk' },
]
const labels = (text: string) => matching(entries, text).map(({ label }) => label)

test.each([
  {
    text: '',
    because: 'nothing is left out',
    found: ['Networks', 'New network', 'Public network', 'New volume'],
  },
  {
    text: 'netw',
    because: 'what begins so comes first, then what has a word that does',
    found: ['Networks', 'New network', 'Public network'],
  },
  { text: 'new ne', because: 'each word has to be found', found: ['New network', 'New volume'] },
  { text: 'disk', because: 'other words for it count', found: ['New volume'] },
  { text: 'CREATE  Sub', because: 'neither case nor spaces count', found: ['New network'] },
  { text: 'nothing', because: 'there is no such thing', found: [] },
])('“$text” finds, because $because', ({ text, found }) => {
  expect(labels(text)).toEqual(found)
})
