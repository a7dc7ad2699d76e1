import { describe, expect, test } from 'vitest'
import { csv, ndjson } from './text-format.ts'

const columns = ['id', 'name']

describe('CSV', () => {
  test.each([
    { name: 'ada', cell: 'ada', because: 'it is plain' },
    { name: null, cell: '', because: 'it is absent' },
    { name: true, cell: 'true', because: 'it is a flag' },
    { name: 'a,b', cell: '"a,b"', because: 'a comma would end the cell' },
    { name: 'a"b', cell: '"a""b"', because: 'a quotation mark is doubled' },
    { name: 'a\r\nb', cell: '"a\r\nb"', because: 'a line break would end the row' },
    { name: '=1+1', cell: "'=1+1", because: 'a spreadsheet would compute it' },
    { name: '+1', cell: "'+1", because: 'a spreadsheet would compute it' },
    { name: '-1', cell: "'-1", because: 'a spreadsheet would compute it' },
    { name: '@SUM(A1)', cell: "'@SUM(A1)", because: 'a spreadsheet would compute it' },
    { name: '\t=1', cell: "'\t=1", because: 'a spreadsheet skips the tab' },
    { name: '\r=1', cell: '"\'\r=1"', because: 'a spreadsheet skips the line break' },
    { name: '=A1,"x"', cell: '"\'=A1,""x"""', because: 'it needs both' },
  ])('the cell of $name is $cell because $because', ({ name, cell }) => {
    expect(csv.line({ id: '1', name }, columns)).toBe(`1,${cell}\r\n`)
  })

  test('a CSV file begins with the columns and ends with the number of rows', () => {
    expect(csv.head(['id', 'at', 'name'])).toBe('id,at,name\r\n')
    expect(csv.end(7, ['id', 'at', 'name'])).toBe('complete,7,\r\n')
  })
})

test('an NDJSON file has one object in each line and ends with the number of rows', () => {
  const text = ndjson.head(columns) + ndjson.line({ id: '1', name: 'a\nb' }, columns)
  expect(text + ndjson.end(1, columns)).toBe(
    '{"id":"1","name":"a\\nb"}\n{"complete":true,"rows":1}\n',
  )
})
