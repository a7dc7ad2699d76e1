import { describe, expect, test } from 'vitest'
import { GuestLines, linesIn } from './guest-lines.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

describe('guest output', () => {
  test.each([
    {
      output: 'one\r\ntwo\n',
      lines: ['one', 'two'],
      because: 'terminals end lines with CR and LF',
    },
    {
      output: 'one\n\ntwo',
      lines: ['one', '', 'two'],
      because: 'an empty line counts, and the last line may be unfinished',
    },
    {
      output: '\u001b[1;31mred\u001b[0m\n',
      lines: ['red'],
      because: 'colour sequences are removed',
    },
    {
      output: '\u001b]0;rm -rf\u0007title\u001b(B\n',
      lines: ['title'],
      because: 'titles and character set sequences are removed',
    },
    {
      output: '10%\r50%\rdone\r\n',
      lines: ['done'],
      because: 'overwritten text is removed',
    },
    {
      output: 'a\u0000b\u0008\tc\u009bd\n',
      lines: ['ab\tcd'],
      because: 'control characters are removed',
    },
    { output: 'x\u001b[', lines: ['x'], because: 'an unfinished escape sequence is removed' },
    { output: '', lines: [], because: 'empty output has no lines' },
  ])('guest output $output becomes $lines: $because', ({ output, lines }) => {
    expect(linesIn(bytes(output), { isCut: false })).toEqual(lines)
  })

  test('lines do not depend on how the bytes are split into chunks', () => {
    const all = bytes('größer \u001b[1mals\u001b[0m\r\n日本\nend')
    for (let at = 0; at <= all.length; at += 1) {
      const lines = new GuestLines()
      const received = [
        ...lines.push(all.subarray(0, at)),
        ...lines.push(all.subarray(at)),
        ...lines.end(),
      ]
      expect(received).toEqual(['größer als', '日本', 'end'])
    }
  })

  test('a partial first line is dropped when the beginning is missing', () => {
    expect(linesIn(bytes('lf of it\nwhole\n'), { isCut: true })).toEqual(['whole'])
  })

  test('invalid UTF-8 is replaced, and an endless line is split', () => {
    expect(linesIn(new Uint8Array([0x61, 0xff, 0x0a]), { isCut: false })).toEqual(['a\ufffd'])
    const lines = new GuestLines()
    const received = Array.from({ length: 100 }, () => lines.push(bytes('x'.repeat(1024)))).flat()
    expect(Math.max(...received.map(({ length }) => length))).toBeLessThan(10 * 1024)
    expect(received.length).toBeGreaterThan(8)
  })
})
