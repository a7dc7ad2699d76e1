import { createHmac, hkdfSync, randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accessTokensFrom } from '../../../server/src/edge/session/token.ts'
import { systemClock } from '../../../server/src/runtime/clock.ts'
import { login } from '../../../server/src/usecases/session/login.ts'
import {
  type IdentityWorld,
  type IdentityServer,
  anIdentityWorld,
  rootPassword,
  secret,
} from '../../support/world/identity-world.ts'

let world: IdentityWorld
let server: IdentityServer

beforeAll(async () => {
  world = await anIdentityWorld()
  server = await world.aServer()
})
afterAll(() => world[Symbol.asyncDispose]())

const origin = {
  requestId: 'r',
  address: '127.0.0.1',
  userAgent: 'test',
  device: null,
  kind: 'token' as const,
  operation: 'login',
}

describe('forged tokens', () => {
  const encode = (value: unknown): string =>
    Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')
  const key = Buffer.from(hkdfSync('sha256', secret.reveal(), 'berth', 'access-token', 32))
  const signed = (header: unknown, payload: unknown, by: Buffer | string = key): string => {
    const hash = JSON.stringify(header).includes('HS512') ? 'sha512' : 'sha256'
    const text = `${encode(header)}.${encode(payload)}`
    return `${text}.${createHmac(hash, by).update(text).digest('base64url')}`
  }
  const good = { alg: 'HS256', typ: 'at+jwt' }
  const now = Math.floor(Date.now() / 1000)
  type Claims = Record<string, unknown>

  const forgeries: [because: string, forge: (claims: Claims, token: string) => string][] = [
    [
      'alg none without a signature',
      (claims) => `${encode({ ...good, alg: 'none' })}.${encode(claims)}.`,
    ],
    [
      'alg None in another case',
      (claims) => `${encode({ ...good, alg: 'nOnE' })}.${encode(claims)}.`,
    ],
    ['the signature cut off', (_claims, token) => token.slice(0, token.lastIndexOf('.') + 1)],
    [
      'the signature of another token',
      (claims, token) =>
        `${encode(good)}.${encode({ ...claims, sub: randomUUID() })}.${token.split('.')[2]}`,
    ],
    ['another key', (claims) => signed(good, claims, randomBytes(32))],
    ['an empty key', (claims) => signed(good, claims, '')],
    ['the secret itself as the key', (claims) => signed(good, claims, secret.reveal())],
    ['another algorithm of the family', (claims) => signed({ ...good, alg: 'HS512' }, claims)],
    ['an asymmetric algorithm by name', (claims) => signed({ ...good, alg: 'RS256' }, claims)],
    [
      'a key id that points elsewhere',
      (claims) => signed({ ...good, kid: '../../dev/null' }, claims),
    ],
    [
      'its own key in the header',
      (claims) =>
        signed(
          { ...good, jwk: { kty: 'oct', k: 'AAAA' } },
          claims,
          Buffer.from('AAAA', 'base64url'),
        ),
    ],
    [
      'a key set to be fetched',
      (claims) => signed({ ...good, jku: 'http://127.0.0.1:1/keys' }, claims),
    ],
    [
      'a certificate to be fetched',
      (claims) => signed({ ...good, x5u: 'http://127.0.0.1:1/cert' }, claims),
    ],
    ['a critical extension', (claims) => signed({ ...good, crit: ['b64'], b64: false }, claims)],
    ['no type', (claims) => signed({ alg: 'HS256' }, claims)],
    ['the type of an ID token', (claims) => signed({ ...good, typ: 'JWT' }, claims)],
    ['no expiry', ({ exp: _exp, ...claims }) => signed(good, claims)],
    ['expired a second ago', (claims) => signed(good, { ...claims, exp: now - 1 })],
    ['expired long ago', (claims) => signed(good, { ...claims, exp: now - 86_400 })],
    ['not valid yet', (claims) => signed(good, { ...claims, nbf: now + 3600 })],
    ['another issuer', (claims) => signed(good, { ...claims, iss: 'another-issuer' })],
    ['another audience', (claims) => signed(good, { ...claims, aud: 'console' })],
    ['no session', ({ sid: _sid, ...claims }) => signed(good, claims)],
    ['an unknown session', (claims) => signed(good, { ...claims, sid: randomUUID() })],
    ['the session of another user', (claims) => signed(good, { ...claims, sub: randomUUID() })],
    [
      'a claim that occurs twice',
      (claims) => signed(good, JSON.stringify(claims).replace('{', '{"sub":"someone-else",')),
    ],
    ['ten thousand characters', (claims) => signed(good, { ...claims, more: 'x'.repeat(10_000) })],
    ['no token at all', () => 'hello'],
    [
      'an unknown API key',
      () => `vfd_live_${randomBytes(4).toString('hex')}_${randomBytes(24).toString('hex')}`,
    ],
    ['a malformed API key', () => "vfd_live_' or 1=1 --"],
  ]

  test('a forged token is refused with the same answer for every kind of forgery', async () => {
    const { token } = await login(server.identity, {
      ...origin,
      username: 'root',
      password: rootPassword,
    })
    const claims = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as Claims
    // The positive control: the same functions make a valid token from unchanged claims.
    expect(signed(good, claims)).toBe(token)
    expect((await server.viewerFor(token)).status).toBe(200)
    const answers = new Map<string, string>()
    for (const [because, forge] of forgeries) {
      const answer = await server.viewerFor(forge(claims, token))
      const { request_id: _id, ...body } = answer.body
      answers.set(because, `${answer.status} ${JSON.stringify(body)}`)
    }
    expect(new Set(answers.values())).toHaveLength(1)
    expect([...answers.values()][0]).toMatch(/^401 .*"code":"unauthenticated"/)
  })

  test('a token is refused when it was signed for another purpose', async () => {
    const tokens = accessTokensFrom(secret, systemClock)
    const text = `${randomUUID()}.1`
    const refreshKey = Buffer.from(
      hkdfSync('sha256', secret.reveal(), 'berth', 'refresh-token', 32),
    )
    expect(
      await tokens.verify(
        `${text}.${createHmac('sha256', refreshKey).update(text).digest('base64url')}`,
      ),
    ).toBeNull()
  })
})
