import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { der } from './der.ts'
import { clock } from '../clock.ts'

export interface ServingCertificates {
  /**
   * PEM of the certificate authority that clients trust. Its private key is discarded, so it can
   * sign nothing else.
   */
  ca: string
  cert: string
  key: string
}

interface Party {
  name: string
  publicKey: KeyObject
}

interface Request {
  issuer: Party
  issuerKey: KeyObject
  subject: Party
  extensions: Buffer[]
}

const ecdsaWithSha256 = der.sequence(der.objectIdentifier('1.2.840.10045.4.3.2'))
const lifetimeMs = 10 * 365 * 24 * 3600_000
const clockSkewMs = 3600_000

/**
 * Creates a certificate authority for one signature, and the serving certificate for loopback that
 * it signs.
 */
export function makeServingCertificates(): ServingCertificates {
  const authorityKeys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const serverKeys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const authority = {
    name: `berth-sandbox-ca-${randomBytes(4).toString('hex')}`,
    publicKey: authorityKeys.publicKey,
  }
  const server = { name: 'berth-sandbox', publicKey: serverKeys.publicKey }
  const issue = (subject: Party, extensions: Buffer[]): string =>
    certificate({ issuer: authority, issuerKey: authorityKeys.privateKey, subject, extensions })
  return {
    ca: issue(authority, [
      extension('2.5.29.19', der.sequence(der.boolean(true)), true),
      keyUsage(0x06, 1),
    ]),
    cert: issue(server, [
      extension('2.5.29.19', der.sequence(), true),
      keyUsage(0x80, 7),
      extension('2.5.29.37', der.sequence(der.objectIdentifier('1.3.6.1.5.5.7.3.1'))),
      extension('2.5.29.17', alternativeNames()),
    ]),
    key: serverKeys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

function certificate(request: Request): string {
  const signed = toBeSigned(request)
  const signature = sign('sha256', signed, request.issuerKey)
  return pem(der.sequence(signed, ecdsaWithSha256, der.bits(signature)))
}

function toBeSigned({ issuer, subject, extensions }: Request): Buffer {
  const now = clock.nowMs()
  const identifiers = [
    extension('2.5.29.14', der.octets(keyIdentifier(subject.publicKey))),
    extension('2.5.29.35', der.sequence(der.tagged(0, keyIdentifier(issuer.publicKey), false))),
  ]
  return der.sequence(
    der.tagged(0, der.integer(Buffer.from([2]))),
    der.integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    ecdsaWithSha256,
    distinguishedName(issuer.name),
    der.sequence(der.time(new Date(now - clockSkewMs)), der.time(new Date(now + lifetimeMs))),
    distinguishedName(subject.name),
    subject.publicKey.export({ type: 'spki', format: 'der' }),
    der.tagged(3, der.sequence(...extensions, ...identifiers)),
  )
}

const distinguishedName = (name: string): Buffer =>
  der.sequence(der.set(der.sequence(der.objectIdentifier('2.5.4.3'), der.utf8(name))))

const extension = (oid: string, value: Buffer, critical = false): Buffer =>
  der.sequence(
    der.objectIdentifier(oid),
    ...(critical ? [der.boolean(true)] : []),
    der.octets(value),
  )

const keyUsage = (bits: number, unused: number): Buffer =>
  extension('2.5.29.15', der.bits(Buffer.from([bits]), unused), true)

const keyIdentifier = (key: KeyObject): Buffer =>
  createHash('sha1')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest()

function alternativeNames(): Buffer {
  const dnsName = (name: string): Buffer => der.tagged(2, Buffer.from(name, 'ascii'), false)
  const address = (bytes: Buffer): Buffer => der.tagged(7, bytes, false)
  const ipv6Loopback = Buffer.alloc(16)
  ipv6Loopback[15] = 1
  return der.sequence(
    dnsName('localhost'),
    address(Buffer.from([127, 0, 0, 1])),
    address(ipv6Loopback),
  )
}

const pem = (body: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${(body.toString('base64').match(/.{1,64}/g) ?? []).join('\n')}\n-----END CERTIFICATE-----\n`
