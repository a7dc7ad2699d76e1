import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type Fault } from '../../engine/model/fault.ts'
import { requirePublicKey } from './public-key.ts'

const field = (content: string | Buffer): Buffer => {
  const bytes = Buffer.from(content)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}
const blobOf = (...fields: (string | Buffer)[]): Buffer => Buffer.concat(fields.map(field))
const lineOf = (type: string, blob: Buffer): string => `${type} ${blob.toString('base64')}`
const keyOf = (type: string, ...fields: (string | Buffer)[]): string =>
  lineOf(type, blobOf(type, ...fields))

/**
 * Encodes a number as in SSH: a leading zero byte when the first bit is set, because mpint is
 * signed.
 */
const mpint = (bytes: Buffer): Buffer =>
  (bytes[0] ?? 0) & 0x80 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes
const exponent = Buffer.from([1, 0, 1])
const modulus = (bits: number): Buffer => {
  const bytes = Buffer.alloc(Math.ceil(bits / 8), 0xff)
  bytes[0] = 0xff >> (bytes.length * 8 - bits)
  return bytes
}
const rsa = (bits: number): string => keyOf('ssh-rsa', exponent, mpint(modulus(bits)))

const point = (namedCurve: string): Buffer => {
  const { x = '', y = '' } = generateKeyPairSync('ec', { namedCurve }).publicKey.export({
    format: 'jwk',
  })
  return Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
}
const ecdsa = (curve: string, at: Buffer): string => keyOf(`ecdsa-sha2-${curve}`, curve, at)
const p256 = point('P-256')
const off = Buffer.from(p256)
off[64] = (off[64] ?? 0) ^ 1

const skEd = 'sk-ssh-ed25519@openssh.com'
const skEc = 'sk-ecdsa-sha2-nistp256@openssh.com'
const edBytes = Buffer.alloc(32, 7)
const ed = keyOf('ssh-ed25519', edBytes)
const edBase64 = ed.split(' ')[1] ?? ''

const refusal = (text: string): { code: string; message: string; path: string | undefined } => {
  try {
    const { line } = requirePublicKey(text)
    return { code: 'taken', message: line, path: undefined }
  } catch (error) {
    // Only faults are thrown; any other error has no code and fails the test.
    const { code, message, fields } = error as Fault
    return { code, message, path: fields?.[0]?.path }
  }
}

describe('an accepted public key', () => {
  test.each([
    ['ed25519', ed],
    ['RSA of 2048 bits', rsa(2048)],
    ['RSA of 2049 bits', rsa(2049)],
    ['RSA of 16384 bits', rsa(16_384)],
    ['ECDSA on P-256', ecdsa('nistp256', p256)],
    ['ECDSA on P-384', ecdsa('nistp384', point('P-384'))],
    ['ECDSA on P-521', ecdsa('nistp521', point('P-521'))],
    ['ed25519 on a token', keyOf(skEd, edBytes, 'ssh:')],
    ['ECDSA on a token', keyOf(skEc, 'nistp256', p256, 'ssh:work')],
  ])('a public key is accepted: %s', (_because, line) => {
    const key = requirePublicKey(line)
    expect(key).toMatchObject({ type: line.split(' ')[0], line })
    expect(Buffer.from(key.bytes).toString('base64')).toBe(line.split(' ')[1])
  })

  test.each([
    ['a comment', `${ed} me@example`],
    ['a comment of several words', `${ed} my old laptop`],
    ['a comment that names a type', `${ed} not ssh-rsa`],
    ['a comment that mentions PRIVATE KEY', `${ed} of my PRIVATE KEY`],
    ['space around it and a line end', ` \t${ed}  comment \r\n`],
    ['tabs and more spaces in it', ed.replace(' ', ' \t  ')],
  ])('a public key is accepted without its extra text: %s', (_because, text) => {
    expect(requirePublicKey(text).line).toBe(ed)
  })
})

describe('a refused public key', () => {
  const pem = (name: string): string =>
    `-----BEGIN ${name}-----\n${edBase64}\n-----END ${name}-----`
  const wire = (text: string): string => text.replace(' ', ' AAAA')
  test.each([
    ['nothing', '', /looks like: ssh-ed25519/],
    ['only space', ' \n ', /looks like: ssh-ed25519/],
    ['a private key of OpenSSH', pem('OPENSSH PRIVATE KEY'), /private key.*\.pub/],
    ['a private key of RSA', pem('RSA PRIVATE KEY'), /private key/],
    ['a private key of PKCS 8', pem('PRIVATE KEY'), /private key/],
    ['a private key with a passphrase', pem('ENCRYPTED PRIVATE KEY'), /private key/],
    ['a private key on one line', pem('OPENSSH PRIVATE KEY').replaceAll('\n', ' '), /private key/],
    ['a private key without its frame', 'b3BlbnNzaC1rZXktdjEAAAAABG5vbmU', /private key/],
    ['a private key after a type', 'ssh-ed25519 b3BlbnNzaC1rZXktdjEAAAAABG5vbmU', /private key/],
    ['a private key after a valid line', `${ed}\n${pem('OPENSSH PRIVATE KEY')}`, /private key/],
    [
      'a private key of PuTTY',
      'PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none',
      /private key/,
    ],
    ['a public key as PEM', pem('PUBLIC KEY'), /ssh-keygen -i/],
    [
      'a public key of RFC 4716',
      `---- BEGIN SSH2 PUBLIC KEY ----\n${edBase64}\n---- END SSH2 PUBLIC KEY ----`,
      /ssh-keygen -i/,
    ],
    ['two keys', `${ed}\n${ed}`, /several lines/],
    ['a second line that is not a key', `${ed} x\nruncmd:\n  - curl evil`, /several lines/],
    ['a carriage return in the comment', `${ed} x\rruncmd:`, /several lines/],
    ['a line end of Unicode', `${ed} x\u2028y`, /several lines/],
    ['an old line end of Unicode', `${ed} x\u0085y`, /several lines/],
    ['a zero byte', `${ed} x\0y`, /control characters/],
    ['options', `no-pty,command="/bin/true" ${ed}`, /options/],
    ['options with spaces in them', `command="echo hello" ${ed} me`, /options/],
    ['a source address option', `from="10.0.0.0/8" ${ed}`, /options/],
    ['no type', edBase64, /put the type of the key before/],
    ['a type alone', 'ssh-ed25519', /damaged/],
    ['DSA', keyOf('ssh-dss', edBytes), /ssh-dss, which is not accepted; use one of ssh-ed25519/],
    [
      'a type in capitals',
      ed.replace('ssh-ed25519', 'SSH-ED25519'),
      /SSH-ED25519, which is not accepted/,
    ],
    ['a certificate', keyOf('ssh-ed25519-cert-v01@openssh.com', edBytes), /certificate/],
    ['a fingerprint', 'SHA256:9rMYlIXTH8lFl6DQ6LFwvcHMpY5bYqv1xY3DUnvQvLA', /looks like/],
    ['some words', 'please let me in', /looks like/],
    ['a property name of objects', '__proto__ x', /looks like/],
    ['base64 with a foreign character', ed.replace('AAAA', 'AA*A'), /damaged/],
    [
      'URL-safe base64',
      keyOf('ssh-ed25519', Buffer.alloc(32, 255)).replaceAll('/', '_'),
      /damaged/,
    ],
    [
      'base64 with unused bits set at the end',
      lineOf(skEd, blobOf(skEd, edBytes, 'ssh')).replace(/.=+$/, 'B=='),
      /damaged/,
    ],
    ['base64 without its end', keyOf(skEd, edBytes, 'ssh').replace(/=+$/, ''), /damaged/],
    ['a key that was cut off', ed.slice(0, -8), /damaged/],
    [
      'a key that was cut off in the length of a field',
      lineOf('ssh-ed25519', blobOf('ssh-ed25519').subarray(0, 3)),
      /damaged/,
    ],
    [
      'bytes after the key',
      lineOf('ssh-ed25519', Buffer.concat([blobOf('ssh-ed25519', edBytes), Buffer.from('more')])),
      /damaged/,
    ],
    ['one more field', keyOf('ssh-ed25519', edBytes, 'more'), /damaged/],
    ['a field length beyond the end', lineOf('ssh-ed25519', Buffer.alloc(16, 255)), /damaged/],
    ['a point that is too short', keyOf('ssh-ed25519', edBytes.subarray(1)), /damaged/],
    [
      'another type inside',
      lineOf('ssh-rsa', blobOf('ssh-ed25519', edBytes)),
      /of the type ssh-ed25519/,
    ],
    ['a script inside', lineOf('ssh-rsa', blobOf('<script>', edBytes)), /damaged/],
    ['nothing inside', wire('ssh-rsa '), /damaged/],
    ['RSA of 1024 bits', rsa(1024), /1024 bits.*2048/],
    ['RSA of 2047 bits', rsa(2047), /2047 bits/],
    ['RSA of 16392 bits', rsa(16_392), /16392 bits/],
    [
      'an even RSA modulus',
      keyOf('ssh-rsa', exponent, mpint(Buffer.concat([modulus(2040), Buffer.from([0])]))),
      /damaged/,
    ],
    ['a negative RSA modulus', keyOf('ssh-rsa', exponent, modulus(2048)), /damaged/],
    [
      'an RSA modulus after zeros',
      keyOf('ssh-rsa', exponent, Buffer.concat([Buffer.alloc(2), modulus(2048)])),
      /damaged/,
    ],
    ['the RSA exponent 1', keyOf('ssh-rsa', Buffer.from([1]), mpint(modulus(2048))), /damaged/],
    ['no RSA exponent', keyOf('ssh-rsa', '', mpint(modulus(2048))), /damaged/],
    ['a point off the curve', ecdsa('nistp256', off), /damaged/],
    ['a point of another curve', ecdsa('nistp256', point('P-384')), /damaged/],
    [
      'a compressed point',
      ecdsa(
        'nistp256',
        Buffer.concat([Buffer.from([2 + ((p256[64] ?? 0) & 1)]), p256.subarray(1, 33)]),
      ),
      /damaged/,
    ],
    ['another curve inside', keyOf('ecdsa-sha2-nistp256', 'nistp384', p256), /damaged/],
    ['no application on a token', keyOf(skEd, edBytes), /damaged/],
    ['an empty application on a token', keyOf(skEc, 'nistp256', p256, ''), /damaged/],
    ['a comment without end', `${ed} ${'x'.repeat(8192)}`, /8192 characters/],
  ])('a text is refused with a remedy: %s', (_because, text, message) => {
    expect(refusal(text)).toEqual({
      code: 'invalid_input',
      message: expect.stringMatching(message),
      path: 'publicKey',
    })
  })

  test('a refusal never repeats a private key', () => {
    const secret = 'b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQ'
    for (const text of [
      pem('OPENSSH PRIVATE KEY').replace(edBase64, secret),
      secret,
      `ssh-ed25519 ${secret}`,
    ])
      expect(refusal(text).message).not.toContain('AAAABG5vbmU')
  })
})

test('a key with one changed bit is refused or accepted as another key, without an internal error', () => {
  for (const line of [ed, ecdsa('nistp256', p256), rsa(2048), keyOf(skEd, edBytes, 'ssh:')]) {
    const [type = '', base64 = ''] = line.split(' ')
    const blob = Buffer.from(base64, 'base64')
    const codes = Array.from({ length: blob.length * 8 }, (_, bit) => {
      const changed = Buffer.from(blob)
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      return refusal(lineOf(type, changed)).code
    })
    // A point off the curve is always refused, so no other key can result.
    const possible = type.startsWith('ecdsa') ? ['invalid_input'] : ['invalid_input', 'taken']
    expect([type, [...new Set(codes)].toSorted()]).toEqual([type, possible])
  }
})
