import { type Log } from '../../runtime/log.ts'
import { type Identity } from '../../usecases/identity/identity.ts'
import { loginByIdentity } from '../../usecases/identity/login-by-identity.ts'
import { cookieNamed, cookieText } from '../../engine/http/cookie.ts'
import { faultFrom } from '../../engine/http/faults.ts'
import { type Door, type Visit } from '../../engine/http/http.ts'
import { type Oidc, transactionSeconds } from './oidc.ts'
import { type RefreshCookie } from './refresh-cookie.ts'
import { type Reply } from '../../engine/http/reply.ts'
import { originOf } from './session-handler.ts'

export interface OidcSite {
  identity: Identity
  oidc: Oidc
  cookie: RefreshCookie
  /** Whether browsers come over https. */
  secure: boolean
  log: Log
}

/**
 * The two steps of a login through an identity provider; a browser goes through both, so every
 * answer is a redirect.
 */
export function oidcDoor(site: OidcSite): Door {
  return (visit) => {
    if (visit.method !== 'GET') return null
    if (visit.url.pathname === '/auth/oidc/start') return orLogin(site, visit, begin)
    return visit.url.pathname === '/auth/oidc/callback' ? orLogin(site, visit, finish) : null
  }
}

async function begin(site: OidcSite, { url }: Visit): Promise<Reply> {
  const { location, transaction } = await site.oidc.begin(url.searchParams.get('returnTo') ?? '/')
  return redirect(location, [transactionCookie(site, transaction)])
}

async function finish(site: OidcSite, visit: Visit): Promise<Reply> {
  const sealed = cookieNamed(visit.request.headers.cookie, nameOf(site))
  const { vouched, returnTo } = await site.oidc.finish(visit.url.search, sealed)
  const { session } = await loginByIdentity(site.identity, vouched, originOf(visit))
  const claim = { sessionId: session.id, generation: session.generation }
  const refresh = site.cookie.write(claim, session.expiresSeconds - session.nowSeconds)
  return redirect(returnTo, [refresh, transactionCookie(site, null)])
}

/** A person who cannot log in sees the login page say so, not a document of ours. */
async function orLogin(site: OidcSite, visit: Visit, step: typeof begin): Promise<Reply> {
  try {
    return await step(site, visit)
  } catch (error) {
    const fault = faultFrom(error)
    site.log.warn('a login through the identity provider did not succeed', {
      requestId: visit.requestId,
      code: fault.code,
      error: fault.cause ?? fault,
    })
    return redirect(`/login?fault=${fault.code}`, [transactionCookie(site, null)])
  }
}

const nameOf = ({ secure }: OidcSite): string => (secure ? '__Host-berth-oidc' : 'berth-oidc')

/**
 * Lax, because the provider sends the browser back from another site; it opens nothing by itself.
 */
function transactionCookie(site: OidcSite, sealed: string | null): string {
  const seconds = sealed === null ? 0 : transactionSeconds
  return cookieText({
    name: nameOf(site),
    value: sealed ?? '',
    seconds,
    secure: site.secure,
    sameSite: 'Lax',
  })
}

function redirect(location: string, cookies: string[]): Reply {
  return {
    status: 303,
    headers: { location, 'cache-control': 'no-store', 'set-cookie': cookies },
    body: '',
  }
}
