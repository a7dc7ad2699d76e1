import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { type PublicKey, requirePublicKey } from '../../domain/ssh-key/public-key.ts'
import { Secret } from '../../runtime/config/secret.ts'

export interface SshKeyPair {
  publicKey: PublicKey
  /** The private key in the format that OpenSSH writes, without a passphrase. */
  privateKeyPem: Secret
}

const type = 'ssh-ed25519'
const blockBytes = 8
const lineCharacters = 70

/**
 * Creates an ed25519 pair. The comment is stored only in the private half, where `ssh-add -l` shows
 * it.
 */
export function newSshKeyPair(comment: string): SshKeyPair {
  const { x = '', d = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  const point = Buffer.from(x, 'base64url')
  const publicBytes = Buffer.concat([field(type), field(point)])
  const privateFields = [
    field(type),
    field(point),
    field(Buffer.concat([Buffer.from(d, 'base64url'), point])),
    field(comment),
  ]
  const privateKeyPem = new Secret(pemFrom(publicBytes, Buffer.concat(privateFields)))
  return { publicKey: requirePublicKey(`${type} ${publicBytes.toString('base64')}`), privateKeyPem }
}

/** Builds the openssh-key-v1 container: no cipher, no key derivation, one key. */
function pemFrom(publicBytes: Buffer, privateFields: Buffer): string {
  // The format repeats a random number. With a cipher, it tells if the passphrase is correct.
  const check = randomBytes(4)
  const inner = padded(Buffer.concat([check, check, privateFields]))
  const head = [Buffer.from('openssh-key-v1\0'), field('none'), field('none'), field(''), number(1)]
  const body = Buffer.concat([...head, field(publicBytes), field(inner)]).toString('base64')
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

function field(content: string | Buffer): Buffer {
  const bytes = Buffer.from(content)
  return Buffer.concat([number(bytes.length), bytes])
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
