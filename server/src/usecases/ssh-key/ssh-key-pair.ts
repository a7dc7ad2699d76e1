import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { type PublicKey, requirePublicKey } from '../../domain/ssh-key/public-key.ts'
import { Secret } from '../../runtime/config/secret.ts'

export interface SshKeyPair {
  publicKey: PublicKey
  /** The private key in the format that OpenSSH writes, without a passphrase. */
  privateKeyPem: Secret
}

const keyType = 'ssh-ed25519'
const blockBytes = 8
const lineCharacters = 70

/** Creates an ed25519 pair. `ssh-add -l` shows the comment of the private key. */
export function newSshKeyPair(comment: string): SshKeyPair {
  const { x = '', d = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  const point = Buffer.from(x, 'base64url')
  const publicBytes = Buffer.concat([lengthPrefixed(keyType), lengthPrefixed(point)])
  const privateFields = [
    lengthPrefixed(keyType),
    lengthPrefixed(point),
    lengthPrefixed(Buffer.concat([Buffer.from(d, 'base64url'), point])),
    lengthPrefixed(comment),
  ]
  const privateKeyPem = new Secret(pemFrom(publicBytes, Buffer.concat(privateFields)))
  return {
    publicKey: requirePublicKey(`${keyType} ${publicBytes.toString('base64')}`),
    privateKeyPem,
  }
}

/** Builds the openssh-key-v1 container: no cipher, no key derivation, one key. */
function pemFrom(publicBytes: Buffer, privateFields: Buffer): string {
  // The private part begins with a random number, twice. In an encrypted key, two different numbers
  // mean a wrong passphrase; readers check this in every key.
  const check = randomBytes(4)
  const inner = padded(Buffer.concat([check, check, privateFields]))
  const head = [
    Buffer.from('openssh-key-v1\0'),
    lengthPrefixed('none'),
    lengthPrefixed('none'),
    lengthPrefixed(''),
    uint32(1),
  ]
  const body = Buffer.concat([
    ...head,
    lengthPrefixed(publicBytes),
    lengthPrefixed(inner),
  ]).toString('base64')
  const lines = body.match(new RegExp(`.{1,${lineCharacters}}`, 'g')) ?? []
  return [
    '-----BEGIN OPENSSH PRIVATE KEY-----',
    ...lines,
    '-----END OPENSSH PRIVATE KEY-----',
    '',
  ].join('\n')
}

/** Pads to whole blocks with 1, 2, 3 …, which the format requires even without encryption. */
function padded(bytes: Buffer): Buffer {
  const missing = (blockBytes - (bytes.length % blockBytes)) % blockBytes
  return Buffer.concat([
    bytes,
    Buffer.from(Array.from({ length: missing }, (_, index) => index + 1)),
  ])
}

function lengthPrefixed(content: string | Buffer): Buffer {
  const bytes = Buffer.from(content)
  return Buffer.concat([uint32(bytes.length), bytes])
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
