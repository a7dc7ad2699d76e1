import { hash } from 'node:crypto'
import { type IncomingHttpHeaders } from 'node:http'
import { Fault, notFound } from '../../engine/model/fault.ts'
import { looksLikeApiKey } from '../../domain/identity/api-key.ts'
import { type Principal, viewerFromPrincipal } from '../../domain/identity/principal.ts'
import { type Viewer, anonymous } from '../../engine/model/viewer.ts'
import { type Clock } from '../../runtime/clock.ts'
import { principalOfApiKey, principalOfSession } from '../../usecases/identity/find-principal.ts'
import { type Identity } from '../../usecases/identity/identity.ts'
import { type AccessTokens } from './token.ts'
import { messageOf } from '../../engine/model/message.ts'

/**
 * Who calls, and for which tenant. A credential is looked up in the database once and remembered
 * for a few seconds under its hash; a change of the user, the role, the key or the tenant drops it
 * at once. So a revoked credential works for milliseconds where changes are heard and for five
 * seconds at most where they are not.
 */
export interface Viewers {
  /**
   * The caller; `anonymous` without a credential. Every credential that is not good ends in the
   * same refusal.
   */
  viewerOf(headers: IncomingHttpHeaders, url: URL): Promise<Viewer>
  /**
   * Forgets whom a change concerns; call it for every change of the log, and without a name when
   * the log has a gap.
   */
  invalidate(kind?: string, id?: string): void
}

export interface ViewersParts {
  identity: Pick<Identity, 'berth' | 'upkeep'>
  tokens: AccessTokens
  clock: Pick<Clock, 'elapsedMs'>
}

interface Known {
  principal: Principal
  viewer: Viewer
  untilMs: number
}

// Counted from before the look-up, so that it and a slow database stay within five seconds
// together.
const rememberMs = 4_000
const mostKnown = 10_000
const longestCredential = 1_000

export function viewersOn(parts: ViewersParts): Viewers {
  const known = new Map<string, Known>()
  const asking = new Map<string, Promise<Viewer>>()
  let generation = 0

  async function ask(key: string, credential: string, tenant: string | undefined): Promise<Viewer> {
    const before = { generation, untilMs: parts.clock.elapsedMs() + rememberMs }
    const principal = await principalOf(parts, credential)
    const viewer = viewerFromPrincipal(
      principal,
      tenant === undefined ? null : await namedTenant(parts, principal, tenant),
    )
    // A change that came in between may be about this very caller: answer, but do not remember.
    if (before.generation === generation)
      remember(known, key, { principal, viewer, untilMs: before.untilMs })
    return viewer
  }

  return {
    async viewerOf(headers, url) {
      if (url.search !== '') mustNotCarryToken(url)
      const credential = credentialOf(headers)
      if (credential === null) return anonymous
      const tenant = singleHeader(headers['x-tenant-id'])
      const key = `${hash('sha256', credential, 'base64')} ${tenant ?? ''}`
      const found = known.get(key)
      if (found && found.untilMs > parts.clock.elapsedMs()) return found.viewer
      const asked =
        asking.get(key) ??
        ask(key, credential, tenant || undefined).finally(() => asking.delete(key))
      asking.set(key, asked)
      return asked
    },
    invalidate(kind, id) {
      if (kind !== undefined && !(kind in concerns)) return
      generation += 1
      asking.clear()
      for (const [key, entry] of known) if (concerned(entry, kind, id)) known.delete(key)
    },
  }
}

const concerns: Readonly<Record<string, (entry: Known, id: string) => boolean>> = {
  user: ({ principal }, id) => principal.userId === id,
  role: ({ principal }, id) => principal.roleId === id,
  api_key: ({ principal }, id) => principal.credentialId === id,
  tenant: ({ principal, viewer }, id) => principal.tenantId === id || viewer.tenantId === id,
}

function concerned(entry: Known, kind: string | undefined, id: string | undefined): boolean {
  return kind === undefined || id === undefined || concerns[kind]?.(entry, id) === true
}

function remember(known: Map<string, Known>, key: string, entry: Known): void {
  known.delete(key)
  const [oldest] = known.keys()
  if (known.size >= mostKnown && oldest !== undefined) known.delete(oldest)
  known.set(key, entry)
}

/** Addresses are kept in histories and logs, so a secret in one is refused even when it is good. */
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
  if (credential === undefined || credential === '' || credential.length > longestCredential)
    throw notGood()
  return credential
}

const singleHeader = (value: string | string[] | undefined): string | undefined =>
  (Array.isArray(value) ? value.join() : value)?.trim()

async function principalOf(
  { identity, tokens }: ViewersParts,
  credential: string,
): Promise<Principal> {
  const principal = looksLikeApiKey(credential)
    ? await principalOfApiKey(identity, credential)
    : await principalOfToken({ identity, tokens }, credential)
  if (!principal) throw notGood()
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
 * The tenant that the caller names, by id or slug: anybody's own, and any that is there for root.
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
  const { tenants } = identity.berth.reads('platform')
  const tenant = (await tenants.find(named)) ?? (await tenants.findBySlug(named))
  if (!tenant) throw notFound('tenant', named.slice(0, 100))
  return tenant.id
}

const notGood = (): Fault => new Fault('unauthenticated', messageOf('access.token_ended'))
