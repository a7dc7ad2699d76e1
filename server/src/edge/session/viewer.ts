import { hash } from 'node:crypto'
import { type IncomingHttpHeaders } from 'node:http'
import { Fault, notFound } from '../../engine/model/fault.ts'
import { hasApiKeyPrefix } from '../../domain/identity/api-key.ts'
import { type Principal, viewerFromPrincipal } from '../../domain/identity/principal.ts'
import { type Viewer, anonymous } from '../../engine/model/viewer.ts'
import { type Clock } from '../../runtime/clock.ts'
import { principalOfApiKey, principalOfSession } from '../../usecases/identity/find-principal.ts'
import { type Identity } from '../../usecases/identity/identity.ts'
import { findTenant } from './find-tenant.ts'
import { type AccessTokens } from './token.ts'
import { messageOf } from '../../engine/model/message.ts'

/**
 * Identifies the caller and its tenant. A credential is read from the database once and cached for
 * a few seconds under its hash. A change of the user, role, key or tenant evicts it immediately.
 *
 * A revoked credential works for milliseconds while changes arrive, and for at most five seconds
 * otherwise.
 */
export interface Viewers {
  /**
   * Returns the caller; `anonymous` without a credential. Every invalid credential ends in the same
   * refusal.
   */
  viewerOf(headers: IncomingHttpHeaders, url: URL): Promise<Viewer>
  /**
   * Evicts the callers that a change concerns. Call it for every change of the log, and without
   * arguments when the log has a gap.
   */
  invalidate(kind?: string, id?: string): void
}

export interface ViewersParts {
  identity: Pick<Identity, 'berth' | 'credentials'>
  tokens: AccessTokens
  clock: Pick<Clock, 'elapsedMs'>
}

interface CachedViewer {
  principal: Principal
  viewer: Viewer
  untilMs: number
}

// The time starts before the look-up, so that both and a slow database stay within five seconds.
const cacheMs = 4_000
const maxCached = 10_000
const maxCredentialLength = 1_000

export function viewersOn(parts: ViewersParts): Viewers {
  const cache = new Map<string, CachedViewer>()
  const pending = new Map<string, Promise<Viewer>>()
  let generation = 0

  async function identify(
    key: string,
    credential: string,
    tenant: string | undefined,
  ): Promise<Viewer> {
    const started = { generation, untilMs: parts.clock.elapsedMs() + cacheMs }
    const principal = await principalOf(parts, credential)
    const viewer = viewerFromPrincipal(
      principal,
      tenant === undefined ? null : await namedTenant(parts, principal, tenant),
      parts.identity.berth.secondFactorPolicy,
    )
    // A change during the look-up may concern this caller, so the result is returned but not
    // cached. A user who sets up a second factor continues with the next request.
    if (started.generation === generation && !viewer.lacksSecondFactor)
      addToCache(cache, key, { principal, viewer, untilMs: started.untilMs })
    return viewer
  }

  return {
    async viewerOf(headers, url) {
      if (url.search !== '') mustNotCarryToken(url)
      const credential = credentialOf(headers)
      if (credential === null) return anonymous
      const tenant = singleHeader(headers['x-tenant-id'])
      const key = `${hash('sha256', credential, 'base64')} ${tenant ?? ''}`
      const found = cache.get(key)
      if (found && found.untilMs > parts.clock.elapsedMs()) return found.viewer
      const viewer =
        pending.get(key) ??
        identify(key, credential, tenant || undefined).finally(() => pending.delete(key))
      pending.set(key, viewer)
      return viewer
    },
    invalidate(kind, id) {
      if (kind !== undefined && !(kind in concerns)) return
      generation += 1
      pending.clear()
      for (const [key, entry] of cache) if (isConcerned(entry, kind, id)) cache.delete(key)
    },
  }
}

const concerns: Readonly<Record<string, (entry: CachedViewer, id: string) => boolean>> = {
  user: ({ principal }, id) => principal.userId === id,
  role: ({ principal }, id) => principal.roleId === id,
  api_key: ({ principal }, id) => principal.credentialId === id,
  tenant: ({ principal, viewer }, id) => principal.tenantId === id || viewer.tenantId === id,
}

function isConcerned(
  entry: CachedViewer,
  kind: string | undefined,
  id: string | undefined,
): boolean {
  return kind === undefined || id === undefined || concerns[kind]?.(entry, id) === true
}

function addToCache(cache: Map<string, CachedViewer>, key: string, entry: CachedViewer): void {
  cache.delete(key)
  const [oldest] = cache.keys()
  if (cache.size >= maxCached && oldest !== undefined) cache.delete(oldest)
  cache.set(key, entry)
}

/** URLs are stored in histories and logs, so a secret in one is refused even when it is valid. */
function mustNotCarryToken(url: URL): void {
  const found = ['token', 'access_token', 'api_key'].find((name) => url.searchParams.has(name))
  if (!found) return
  const fields = [{ path: found, message: messageOf('field.not_in_address') }]
  throw new Fault('invalid_input', messageOf('access.token_in_address'), { fields })
}

function credentialOf(headers: IncomingHttpHeaders): string | null {
  const { authorization } = headers
  const apiKey = singleHeader(headers['x-api-key'])
  if (authorization === undefined && apiKey === undefined) return null
  const credential =
    authorization === undefined ? apiKey : /^bearer +(\S+) *$/i.exec(authorization)?.[1]
  if (credential === undefined || credential === '' || credential.length > maxCredentialLength)
    throw invalidCredential()
  return credential
}

const singleHeader = (value: string | string[] | undefined): string | undefined =>
  (Array.isArray(value) ? value.join() : value)?.trim()

async function principalOf(
  { identity, tokens }: ViewersParts,
  credential: string,
): Promise<Principal> {
  const principal = hasApiKeyPrefix(credential)
    ? await principalOfApiKey(identity, credential)
    : await principalOfToken({ identity, tokens }, credential)
  if (!principal) throw invalidCredential()
  return principal
}

async function principalOfToken(
  { identity, tokens }: Omit<ViewersParts, 'clock'>,
  token: string,
): Promise<Principal | null> {
  const claims = await tokens.verify(token)
  return claims === null ? null : principalOfSession(identity, claims)
}

/**
 * Returns the tenant that the caller names by id or slug: its own tenant, or any existing one for
 * root.
 */
async function namedTenant(
  { identity }: Pick<ViewersParts, 'identity'>,
  principal: Principal,
  named: string,
): Promise<string> {
  if (named.toLowerCase() === principal.tenantId || named === principal.tenantSlug)
    return principal.tenantId
  if (principal.role !== 'root')
    throw new Fault('tenant_forbidden', messageOf('access.foreign_tenant'))
  const tenant = await findTenant(identity.berth, named)
  if (!tenant) throw notFound('tenant', named.slice(0, 100))
  return tenant.id
}

const invalidCredential = (): Fault => new Fault('unauthenticated', messageOf('access.token_ended'))
