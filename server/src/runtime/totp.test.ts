import { expect, test } from 'vitest'
import { base32, bytesFromBase32, matchingTotpStep, totpCode, totpStep, totpUrl } from './totp.ts'

const secret = Buffer.from('12345678901234567890')

test.each([
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
])('the code at second %d is that of RFC 6238, appendix B', (second, code) => {
  expect(totpCode(secret, totpStep(second * 1000), 8)).toBe(code)
  expect(totpCode(secret, totpStep(second * 1000))).toBe(code.slice(2))
})

const timeMs = 1_111_111_111_000
const now = totpStep(timeMs)

test.each([
  { because: 'it is that of the present step', away: 0, lastStep: 0, matches: true },
  { because: 'it is that of the previous step', away: -1, lastStep: 0, matches: true },
  { because: 'it is that of the next step', away: 1, lastStep: 0, matches: true },
  { because: 'it is two steps old', away: -2, lastStep: 0, matches: false },
  { because: 'it is two steps ahead', away: 2, lastStep: 0, matches: false },
  { because: 'its step was used', away: 0, lastStep: now, matches: false },
  { because: 'a later step was used', away: -1, lastStep: now, matches: false },
  { because: 'an earlier step was used', away: 1, lastStep: now, matches: true },
])('a code matches ($matches): $because', ({ away, lastStep, matches }) => {
  const code = totpCode(secret, now + away)
  expect(matchingTotpStep(code, { secret, timeMs, lastStep })).toBe(matches ? now + away : null)
})

test.each(['', '1', '0504711', '05047\u0661', 'abcdef', '050472'])(
  'the text %j matches no step',
  (code) => {
    expect(matchingTotpStep(code, { secret, timeMs, lastStep: 0 })).toBeNull()
  },
)

test.each([
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
])('the base32 of %j is that of RFC 4648 without padding', (text, encoded) => {
  expect(base32(Buffer.from(text))).toBe(encoded)
  expect(bytesFromBase32(encoded).toString()).toBe(text)
})

test('the URL names the issuer and the account, and escapes both', () => {
  expect(totpUrl({ issuer: 'Berth', account: 'anna b@x', secret: 'MZXW6' })).toBe(
    'otpauth://totp/Berth:anna%20b%40x?secret=MZXW6&issuer=Berth',
  )
})
