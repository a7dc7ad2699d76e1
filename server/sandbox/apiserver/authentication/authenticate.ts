import { timingSafeEqual } from 'node:crypto'
import { type IncomingMessage } from 'node:http'
import { registry } from '../../kinds/registry.ts'
import { refuse } from '../../objects/status.ts'
import { type Store } from '../storage/store.ts'
import { dig } from '../../objects/dig.ts'
import { type AccountName, accountGroups, accountOf, accountUser } from './account.ts'
import { type Identity, anonymous, component, withStandardGroups } from '../../objects/identity.ts'
import { type Claims, type Tokens, issuer } from './tokens.ts'

/** The credentials that the sandbox's API server accepts. */
export interface Credentials {
  /** The static token of the administrator. */
  token: string
  tokens: Tokens
  store: Store
}

const administrator = component('kubernetes-admin')

/**
 * Returns the user of the credentials. A request without credentials is anonymous; invalid
 * credentials are refused.
 */
export function authenticate(credentials: Credentials, request: IncomingMessage): Identity {
  const [scheme = '', token = ''] = headerIn(request).trim().split(/\s+/)
  if (scheme.toLowerCase() !== 'bearer' || token === '') return anonymous
  const identity = isSecret(token, credentials.token)
    ? administrator
    : (accountOfToken(credentials, token)?.identity ?? null)
  if (!identity) throw refuse.unauthorized()
  return identity
}

/** A browser cannot set headers on a WebSocket, so it sends the token as a subprotocol. */
const bearerProtocol = /base64url\.bearer\.authorization\.k8s\.io\.([\w-]+)/

function headerIn({ headers }: IncomingMessage): string {
  const carried = bearerProtocol.exec(headers['sec-websocket-protocol'] ?? '')?.[1]
  return (
    headers.authorization ??
    (carried === undefined ? '' : `Bearer ${Buffer.from(carried, 'base64url').toString()}`)
  )
}

function isSecret(token: string, expected: string): boolean {
  const [a, b] = [Buffer.from(token), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

interface Account {
  identity: Identity
  audiences: readonly string[]
}

/**
 * Returns the service account of a token for one of the audiences. Null for an invalid token, or
 * when its account is gone.
 */
export function accountOfToken(
  { tokens, store }: Credentials,
  token: string,
  audiences: readonly string[] = [issuer],
): Account | null {
  const claims = tokens.claimsIn(token)
  const account = claims ? accountOf(claims.sub) : null
  if (!claims || !account) return null
  const common = audiences.filter((each) => claims.aud.includes(each))
  if (common.length === 0 || !isStillThere(store, account, claims)) return null
  const identity = withStandardGroups({
    name: accountUser(account),
    groups: accountGroups(account.namespace),
  })
  const extra = { 'authentication.kubernetes.io/credential-id': [`JTI=${claims.jti}`] }
  return {
    audiences: common,
    identity: { ...identity, uid: dig.text(claims['kubernetes.io'], 'serviceaccount.uid'), extra },
  }
}

const bindable = { serviceaccount: 'serviceaccounts', secret: 'secrets', pod: 'pods' }

/**
 * True when the account and the other bound objects still have the UIDs for which the token was
 * issued.
 */
function isStillThere(store: Store, { namespace }: AccountName, claims: Claims): boolean {
  return Object.entries(bindable).every(([claim, plural]) => {
    const bound = dig.map(claims['kubernetes.io'], claim)
    if (bound.name === undefined) return claim !== 'serviceaccount'
    return (
      store.get(registry.named(plural), namespace, String(bound.name))?.metadata.uid === bound.uid
    )
  })
}
