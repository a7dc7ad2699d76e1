import { type Log } from '../../runtime/log.ts'
import { type Identity } from '../../usecases/identity/identity.ts'
import { loginByIdentity } from '../../usecases/session/login-by-identity.ts'
import { cookieNamed, cookieText } from '../../engine/http/cookie.ts'
import { faultFrom } from '../../engine/http/faults.ts'
import { type Handler, type RequestContext } from '../../engine/http/http.ts'
import { type Oidc, transactionSeconds } from './oidc.ts'
import { type RefreshCookie } from './refresh-cookie.ts'
import { type FailureCookie } from './failure-cookie.ts'
import { type Reply } from '../../engine/http/reply.ts'
import { originOf } from './session-handler.ts'

export interface OidcContext {
  identity: Identity
  oidc: Oidc
  cookie: RefreshCookie
  failure: FailureCookie
  /** True when browsers use https. */
  secure: boolean
  log: Log
}

/**
 * Serves the two steps of a login through an identity provider. A browser follows both, so every
 * response is a redirect.
 */
export function oidcHandler(context: OidcContext): Handler {
  return (http) => {
    if (http.method !== 'GET') return null
    if (http.url.pathname === '/auth/oidc/start') return orLogin(context, http, begin)
    return http.url.pathname === '/auth/oidc/callback' ? orLogin(context, http, finish) : null
  }
}

async function begin(context: OidcContext, { url }: RequestContext): Promise<Reply> {
  const { location, transaction } = await context.oidc.begin(
    url.searchParams.get('returnTo') ?? '/',
  )
  return redirect(location, [transactionCookie(context, transaction)])
}

async function finish(context: OidcContext, http: RequestContext): Promise<Reply> {
  const sealed = cookieNamed(http.request.headers.cookie, nameOf(context))
  const { confirmed, returnTo } = await context.oidc.finish(http.url.search, sealed)
  const { session } = await loginByIdentity(context.identity, confirmed, originOf(http))
  const claim = { sessionId: session.id, generation: session.generation }
  const refresh = context.cookie.write(claim, session.expiresSeconds - session.nowSeconds)
  return redirect(returnTo, [refresh, transactionCookie(context, null)])
}

/** A failed login shows on the login page, not as a JSON document. */
async function orLogin(
  context: OidcContext,
  http: RequestContext,
  step: typeof begin,
): Promise<Reply> {
  try {
    return await step(context, http)
  } catch (error) {
    const fault = faultFrom(error)
    context.log.warn('session.oidc_login_failed', {
      requestId: http.requestId,
      code: fault.code,
      error: fault.cause ?? fault,
      effect: 'the user is back on the login page, which shows the reason',
      remedy:
        'none, unless many logins fail: with the code overloaded check PostgreSQL, otherwise security.oidc and the identity provider',
    })
    return redirect(`/login?fault=${fault.code}`, [
      transactionCookie(context, null),
      context.failure.write(fault, http.requestId),
    ])
  }
}

const nameOf = ({ secure }: OidcContext): string => (secure ? '__Host-berth-oidc' : 'berth-oidc')

/**
 * The cookie is `Lax`, because the provider redirects the browser from another site. The cookie
 * alone gives no access.
 */
function transactionCookie(context: OidcContext, sealed: string | null): string {
  const seconds = sealed === null ? 0 : transactionSeconds
  return cookieText({
    name: nameOf(context),
    value: sealed ?? '',
    seconds,
    secure: context.secure,
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
