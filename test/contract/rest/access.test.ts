import { beforeAll, describe, expect, test } from 'vitest'
import { type WireAnswer } from '../../support/clients/http-client.ts'
import { type World, aWorld } from '../../support/world/world.ts'

const allowedOrigin = 'https://desk.example'
const requests = 150

let world: World
let here: string
beforeAll(async () => {
  world = await aWorld({
    worker: false,
    config: ({ security, api }) => {
      security.allowedOrigins = [allowedOrigin]
      api.rateLimit = { requests, seconds: 3_600 }
    },
  })
  here = new URL(world.url).host
})

interface RequestOptions {
  method?: string
  path?: string
  headers?: Record<string, string>
}

const from = (
  origin: string,
  { method = 'GET', path = '/api/v1/vms', headers = {} }: RequestOptions = {},
): Promise<WireAnswer> =>
  world.wire.send(method, path, { headers: { origin, host: here, ...headers } })
const preflight = (origin: string, path = '/api/v1/vms'): Promise<WireAnswer> =>
  from(origin, { method: 'OPTIONS', path, headers: { 'access-control-request-method': 'POST' } })

describe('CORS', () => {
  test.each([allowedOrigin, 'http://HOST', 'https://HOST'])(
    'a preflight from %s is answered with the allowed methods and headers on every path',
    async (named) => {
      const origin = named.replace('HOST', here)
      for (const path of ['/api/v1/vms', '/api/v1/vms/start', '/api/v1/openapi.json']) {
        const { status, headers, text } = await preflight(origin, path)
        expect([path, status, text]).toEqual([path, 204, ''])
        expect(headers).toMatchObject({
          'access-control-allow-origin': origin,
          'access-control-allow-methods': 'GET, POST, PATCH, DELETE',
          'access-control-allow-headers': expect.stringContaining('Idempotency-Key'),
          vary: 'origin',
        })
        expect(headers).not.toHaveProperty('access-control-allow-credentials')
      }
    },
  )

  test.each([
    'https://foreign.example',
    'null',
    `${allowedOrigin}.evil.example`,
    'http://desk.example',
    `${allowedOrigin}:8443`,
    'https://sub.desk.example',
    '*',
  ])('a page of %s is refused and can read nothing', async (origin) => {
    const { status, headers, body } = await preflight(origin)
    expect([status, body.code]).toEqual([403, 'forbidden'])
    const read = await from(origin, { path: '/api/v1/openapi.json' })
    expect([read.status, read.headers.vary]).toEqual([200, 'origin'])
    for (const answer of [headers, read.headers])
      expect(Object.keys(answer).filter((name) => name.startsWith('access-control'))).toEqual([])
  })

  test.each([
    ['https://foreign.example', 'ask the operator to allow them'],
    ['null', 'the operator cannot allow it'],
    ['chrome-extension://abcdefghijklmnop', 'the operator cannot allow it'],
  ])('a page of %s is told whether the operator can allow it', async (origin, sentence) => {
    expect((await preflight(origin)).body.error).toContain(sentence)
  })

  test('a page of an allowed origin can read answers, refusals and the headers that clients need', async () => {
    for (const path of ['/api/v1/openapi.json', '/api/v1/vms', '/api/v1/nothing']) {
      const { headers } = await from(allowedOrigin, { path })
      expect([path, headers['access-control-allow-origin']]).toEqual([path, allowedOrigin])
      expect(headers['access-control-expose-headers']).toMatch(
        /ETag.*Link.*RateLimit.*Retry-After.*X-Request-ID/,
      )
    }
  })

  test('an OPTIONS request without a preflight header gets the methods, and paths outside REST get no CORS headers', async () => {
    const plain = await from(allowedOrigin, { method: 'OPTIONS' })
    expect([plain.status, plain.headers.allow]).toEqual([204, 'GET, POST, HEAD, OPTIONS'])
    const graph = await preflight(allowedOrigin, '/graphql')
    expect([graph.status === 204, graph.headers['access-control-allow-origin']]).toEqual([
      false,
      undefined,
    ])
  })
})

describe('content encoding', () => {
  test.each(['gzip', 'br', 'zstd'])(
    'a REST answer is compressed with %s for clients that accept it',
    async (encoding) => {
      const plain = await fetch(`${world.url}/api/v1/openapi.json`, {
        headers: { 'accept-encoding': 'identity' },
      })
      const packed = await fetch(`${world.url}/api/v1/openapi.json`, {
        headers: { 'accept-encoding': `${encoding}, deflate` },
      })
      expect([
        plain.headers.get('content-encoding'),
        packed.headers.get('content-encoding'),
      ]).toEqual([null, encoding])
      expect(packed.headers.get('vary')).toBe('accept-encoding, origin')
      expect(Number(packed.headers.get('content-length'))).toBeLessThan(
        Number(plain.headers.get('content-length')) / 4,
      )
      expect(await packed.json()).toEqual(await plain.json())
    },
  )

  test('a REST answer is not compressed when the client excludes the encoding', async () => {
    const answer = await fetch(`${world.url}/api/v1/openapi.json`, {
      headers: { 'accept-encoding': 'gzip;q=0, identity' },
    })
    expect(answer.headers.get('content-encoding')).toBeNull()
    // A body that is not read keeps its connection open.
    expect(await answer.json()).toMatchObject({ info: { title: expect.any(String) } })
  })
})

describe('rate limit', () => {
  test('a rate-limited user is refused with 429 for every credential, and other callers are not', async () => {
    const { body: made } = await world.root.rest('POST', '/api-keys', {
      body: { name: 'other credential' },
    })
    const first = await world.root.rest('GET', '/auth/me')
    const left = Number(first.headers['x-ratelimit-remaining'])
    expect(first.headers).toMatchObject({
      'ratelimit-policy': `"requests";q=${requests};w=3600`,
      ratelimit: expect.stringMatching(new RegExp(`^"requests";r=${left};t=\\d+$`)),
      'x-ratelimit-limit': String(requests),
    })
    expect(Number(first.headers['x-ratelimit-reset'])).toBeGreaterThan(Date.now() / 1_000)
    const answers = await Promise.all(
      Array.from({ length: left + 5 }, () => world.root.rest('GET', '/auth/me')),
    )
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThan(0)
    for (const { body, headers } of refused) {
      expect([body.code, headers['x-ratelimit-remaining']]).toEqual(['too_many_requests', '0'])
      expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    }
    const overGraph = await world.root.graphql('{ viewer { username } }')
    const byKey = await world.wire.send('GET', '/api/v1/auth/me', {
      headers: { 'x-api-key': made.secret },
    })
    expect([overGraph.status, overGraph.code, byKey.status]).toEqual([
      429,
      'too_many_requests',
      429,
    ])
    const stranger = await world.anonymous.rest('GET', '/auth/me')
    expect(stranger.status).toBe(401)
    const wrong = await world.wire.send('GET', '/api/v1/auth/me', {
      headers: { authorization: 'Bearer nobody' },
    })
    expect([wrong.status, Number(wrong.headers['x-ratelimit-remaining'])]).toEqual([
      401,
      Number(stranger.headers['x-ratelimit-remaining']) - 1,
    ])
  })
})
