import { describe, expect, test } from 'vitest'
import { GuestLines, linesIn } from './guest-lines.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

describe('the lines of a guest', () => {
  test.each([
    { said: 'one\r\ntwo\n', shown: ['one', 'two'], because: 'terminals end lines with both' },
    {
      said: 'one\n\ntwo',
      shown: ['one', '', 'two'],
      because: 'an empty line is one, and the last may not be ended',
    },
    { said: '\u001b[1;31mred\u001b[0m\n', shown: ['red'], because: 'colours are for a terminal' },
    {
      said: '\u001b]0;rm -rf\u0007title\u001b(B\n',
      shown: ['title'],
      because: 'so are titles and character sets',
    },
    {
      said: '10%\r50%\rdone\r\n',
      shown: ['done'],
      because: 'what was written over is not there any more',
    },
    {
      said: 'a\u0000b\u0008\tc\u009bd\n',
      shown: ['ab\tcd'],
      because: 'control characters do nothing on paper',
    },
    { said: 'x\u001b[', shown: ['x'], because: 'an escape that never ended does nothing either' },
    { said: '', shown: [], because: 'nothing is no line' },
  ])('are $shown when it says $said: $because', ({ said, shown }) => {
    expect(linesIn(bytes(said), { isCut: false })).toEqual(shown)
  })

  test('are the same however the bytes are cut into pieces', () => {
    const all = bytes('größer \u001b[1mals\u001b[0m\r\n日本\nend')
    for (let at = 0; at <= all.length; at += 1) {
      const lines = new GuestLines()
      const seen = [
        ...lines.push(all.subarray(0, at)),
        ...lines.push(all.subarray(at)),
        ...lines.end(),
      ]
      expect(seen).toEqual(['größer als', '日本', 'end'])
    }
  })

  test('begin with a whole one where the beginning is missing', () => {
    expect(linesIn(bytes('lf of it\nwhole\n'), { isCut: true })).toEqual(['whole'])
  })

  test('are no UTF-8 at times, and endless at others', () => {
    expect(linesIn(new Uint8Array([0x61, 0xff, 0x0a]), { isCut: false })).toEqual(['a\ufffd'])
    const lines = new GuestLines()
    const seen = Array.from({ length: 100 }, () => lines.push(bytes('x'.repeat(1024)))).flat()
    expect(Math.max(...seen.map(({ length }) => length))).toBeLessThan(10 * 1024)
    expect(seen.length).toBeGreaterThan(8)
  })
})
