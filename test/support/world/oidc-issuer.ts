import { type KeyObject, createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { type IncomingMessage, createServer } from 'node:http'
import { type AddressInfo } from 'node:net'

/** Deviations that a test sets in the next answer of the issuer. */
export interface Deviations {
  claims?: Record<string, unknown>
  issParameter?: string
  signWith?: KeyObject
  algorithm?: 'none'
}

/** An identity provider whose answers a test can falsify. */
export interface StubIssuer extends AsyncDisposable {
  url: string
  /** Grants the authorization request. Returns the URL to which the browser is redirected. */
  consent(location: string, claims: Record<string, unknown>, deviations?: Deviations): URL
  /** The received authorization requests. */
  requests: URLSearchParams[]
  /** Creates a valid key that is not the issuer's. */
  aKey(): KeyObject
}

interface Grant {
  params: URLSearchParams
  claims: Record<string, unknown>
  deviations: Deviations
}

/** Starts an identity provider that checks PKCE, redirect URI and client secret as a real one. */
export async function anIssuer({
  clientId = 'berth',
  clientSecret = 'between us',
} = {}): Promise<StubIssuer> {
  const { publicKey, privateKey } = aKeyPair()
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }
  const grants = new Map<string, Grant>()
  const requests: URLSearchParams[] = []
  const server = createServer((request, response) => {
    void answer(request).then(({ status, body }) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  async function answer(request: IncomingMessage): Promise<{ status: number; body: unknown }> {
    if (request.url === '/.well-known/openid-configuration')
      return { status: 200, body: metadata(url) }
    if (request.url === '/keys') return { status: 200, body: { keys: [jwk] } }
    if (request.url === '/token') return token(new URLSearchParams(await textOf(request)))
    return { status: 404, body: {} }
  }

  function token(form: URLSearchParams): { status: number; body: unknown } {
    const grant = grants.get(form.get('code') ?? '')
    grants.delete(form.get('code') ?? '')
    const known = form.get('client_id') === clientId && form.get('client_secret') === clientSecret
    if (!grant || !known || !provesItself(form, grant.params))
      return { status: 400, body: { error: 'invalid_grant' } }
    const accessToken = randomBytes(8).toString('hex')
    return {
      status: 200,
      body: {
        access_token: accessToken,
        token_type: 'Bearer',
        expires_in: 60,
        id_token: idTokenFor(grant),
      },
    }
  }

  function idTokenFor({ params, claims, deviations }: Grant): string {
    const now = Math.floor(Date.now() / 1000)
    const all = {
      iss: url,
      aud: clientId,
      iat: now,
      exp: now + 60,
      nonce: params.get('nonce'),
      ...claims,
      ...deviations.claims,
    }
    if (deviations.algorithm === 'none') return `${encode({ alg: 'none' })}.${encode(all)}.`
    const text = `${encode({ alg: 'RS256', kid: 'one' })}.${encode(all)}`
    return `${text}.${sign('sha256', Buffer.from(text), deviations.signWith ?? privateKey).toString('base64url')}`
  }

  return {
    url,
    requests,
    aKey: () => aKeyPair().privateKey,
    consent(location, claims, deviations = {}) {
      const params = new URL(location).searchParams
      requests.push(params)
      const code = randomBytes(8).toString('hex')
      grants.set(code, { params, claims, deviations })
      const back = new URL(params.get('redirect_uri') ?? '')
      back.search = new URLSearchParams({
        code,
        state: params.get('state') ?? '',
        iss: deviations.issParameter ?? url,
      }).toString()
      return back
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const aKeyPair = () => generateKeyPairSync('rsa', { modulusLength: 2048 })

const metadata = (url: string) => ({
  issuer: url,
  authorization_endpoint: `${url}/authorize`,
  token_endpoint: `${url}/token`,
  jwks_uri: `${url}/keys`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
})

function provesItself(form: URLSearchParams, params: URLSearchParams): boolean {
  const challenge = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url')
  return (
    challenge === params.get('code_challenge') &&
    form.get('redirect_uri') === params.get('redirect_uri')
  )
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
