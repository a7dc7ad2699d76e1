import type * as client from 'openid-client'
import { Fault } from '../../engine/model/fault.ts'
import { type Clock } from '../../runtime/clock.ts'
import { type OidcConfig } from '../../runtime/config/config.ts'
import { sealFromSecret } from '../../runtime/seal.ts'
import { type Secret } from '../../runtime/config/secret.ts'
import { type ConfirmedIdentity } from '../../usecases/session/login-by-identity.ts'
import { messageOf } from '../../engine/model/message.ts'

/**
 * Implements the authorization code flow with PKCE, state and nonce. The state of a login travels
 * in a sealed cookie of the browser that began it. A response that another browser requested is
 * therefore useless. openid-client checks the keys and responses of the provider; it is loaded with
 * the first such login.
 */
export interface Oidc {
  begin(returnTo: string): Promise<{ location: string; transaction: string }>
  finish(
    search: string,
    transaction: string | null,
  ): Promise<{ confirmed: ConfirmedIdentity; returnTo: string }>
}

export interface OidcParts {
  config: OidcConfig
  publicUrl: string
  secret: Secret
  clock: Pick<Clock, 'now'>
}

interface Transaction {
  state: string
  nonce: string
  verifier: string
  returnTo: string
  endsMs: number
}

export const transactionSeconds = 600
const callbackPath = '/auth/oidc/callback'

export function oidcOn({ config, publicUrl, secret, clock }: OidcParts): Oidc {
  const seal = sealFromSecret(secret, 'oidc-transaction')
  const redirectUri = `${publicUrl}${callbackPath}`
  const connect = providerConnector(config)
  const openTransaction = (sealed: string | null): Transaction => {
    const transaction = unseal(() => seal.open(Buffer.from(sealed ?? '', 'base64url')))
    if (!transaction || transaction.endsMs < clock.now().getTime()) throw notRecognised()
    return transaction
  }
  return {
    async begin(returnTo) {
      const { oidc, provider } = await connect()
      const [state, nonce, verifier] = [
        oidc.randomState(),
        oidc.randomNonce(),
        oidc.randomPKCECodeVerifier(),
      ]
      const location = oidc.buildAuthorizationUrl(provider, {
        redirect_uri: redirectUri,
        scope: config.scopes.join(' '),
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        nonce,
      })
      const endsMs = clock.now().getTime() + transactionSeconds * 1000
      const sealed = seal.close(
        JSON.stringify({ state, nonce, verifier, returnTo: sameOriginPath(returnTo), endsMs }),
      )
      return { location: location.href, transaction: sealed.toString('base64url') }
    },
    async finish(search, sealed) {
      const { state, nonce, verifier, returnTo } = openTransaction(sealed)
      const { oidc, provider } = await connect()
      const checks = {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      }
      const answer = await oidc
        .authorizationCodeGrant(provider, new URL(`${redirectUri}${search}`), checks)
        .catch((cause: unknown) => {
          throw notRecognised(cause)
        })
      const claims = answer.claims()
      if (!claims) throw notRecognised()
      return { confirmed: identityFrom(claims, config), returnTo }
    },
  }
}

/** Returns a path of this site: after a login, the browser must not continue on another site. */
export function sameOriginPath(text: string): string {
  const base = 'http://berth.invalid'
  const url = /^\/(?![/\\])/.test(text) ? URL.parse(text, base) : null
  return url?.origin === base ? `${url.pathname}${url.search}${url.hash}`.replace(/^\/+/, '/') : '/'
}

interface ProviderClient {
  oidc: typeof client
  provider: client.Configuration
}

/**
 * Fetches the addresses and keys of the provider once. After a failure, the next login tries again.
 */
function providerConnector(config: OidcConfig): () => Promise<ProviderClient> {
  let pending: Promise<ProviderClient> | null = null
  return () => {
    pending ??= discover(config).catch((cause: unknown) => {
      pending = null
      if (cause instanceof Fault) throw cause
      throw new Fault('overloaded', messageOf('access.provider_silent'), {
        retryAfterSeconds: 5,
        cause,
      })
    })
    return pending
  }
}

async function discover({ issuer, clientId, clientSecret }: OidcConfig): Promise<ProviderClient> {
  const url = new URL(issuer)
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (url.protocol !== 'https:' && !isLocal)
    throw new Fault('platform_error', messageOf('access.provider_without_https'))
  const oidc = await import('openid-client')
  const secret = clientSecret?.reveal()
  const authentication = secret === undefined ? oidc.None() : oidc.ClientSecretPost(secret)
  const execute = [
    oidc.enableNonRepudiationChecks,
    ...(url.protocol === 'https:' ? [] : [oidc.allowInsecureRequests]),
  ]
  const provider = await oidc.discovery(url, clientId, {}, authentication, { execute, timeout: 10 })
  return { oidc, provider }
}

function identityFrom(claims: client.IDToken, config: OidcConfig): ConfirmedIdentity {
  const { usernameClaim, tenantClaim, roleClaim, groupRoles } = config
  const textsIn = (name: string | null): string[] =>
    [name === null ? [] : claims[name]]
      .flat()
      .filter((value): value is string => typeof value === 'string' && value !== '')
  const textIn = (name: string | null): string | null => textsIn(name)[0] ?? null
  const roleName =
    groupRoles.length > 0
      ? roleOfGroups(textsIn(roleClaim), groupRoles)
      : (textIn(roleClaim) ?? firstRole)
  return {
    issuer: claims.iss,
    subject: claims.sub,
    username: textIn(usernameClaim),
    email: textIn('email'),
    assigned: tenantClaim === null ? null : { tenantSlug: textIn(tenantClaim), roleName },
    rolesFollowProvider: roleClaim !== null,
  }
}

/** The role of users for whom the provider names none. */
const firstRole = 'tenant.viewer'

/** Returns the role of the first entry whose group the user is in; null when there is none. */
function roleOfGroups(groups: readonly string[], groupRoles: readonly string[]): string | null {
  for (const entry of groupRoles) {
    const [group = '', role = ''] = entry.split('=').map((part) => part.trim())
    if (groups.includes(group)) return role
  }
  return null
}

function unseal(open: () => string): Transaction | null {
  try {
    return JSON.parse(open()) as Transaction // `begin` wrote everything that opens under this key
  } catch {
    return null
  }
}

function notRecognised(cause?: unknown): Fault {
  return new Fault('unauthenticated', messageOf('access.provider_login_failed'), { cause })
}
