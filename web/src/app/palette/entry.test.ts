import { expect, test } from 'vitest'
import { matching } from './entry.ts'

const entries = [
  { label: 'Networks' },
  { label: 'New network', keywords: 'create subnet' },
  { label: 'Public network' },
  { label: 'New volume', keywords: 'create disk' },
]
const labels = (text: string) => matching(entries, text).map(({ label }) => label)

test.each([
  {
    text: '',
    because: 'an empty text matches every entry',
    found: ['Networks', 'New network', 'Public network', 'New volume'],
  },
  {
    text: 'netw',
    because: 'a label that begins with the text precedes labels with such a word',
    found: ['Networks', 'New network', 'Public network'],
  },
  { text: 'new ne', because: 'each word has to match', found: ['New network', 'New volume'] },
  { text: 'disk', because: 'keywords match too', found: ['New volume'] },
  { text: 'CREATE  Sub', because: 'case and extra spaces are ignored', found: ['New network'] },
  { text: 'nothing', because: 'no entry has this word', found: [] },
])('the text “$text” finds its entries: $because', ({ text, found }) => {
  expect(labels(text)).toEqual(found)
})
