import { type Clock } from '../../runtime/clock.ts'
import { type Config } from '../../runtime/config/config.ts'
import { type Log } from '../../runtime/log.ts'
import { type Secret } from '../../runtime/config/secret.ts'
import { type Identity } from '../../usecases/identity/identity.ts'
import { originsOn } from '../../engine/http/origins.ts'
import { type Handler } from '../../engine/http/http.ts'
import { deviceCookieFrom } from './device-cookie.ts'
import { failureCookieFrom } from './failure-cookie.ts'
import { oidcHandler } from './oidc-handler.ts'
import { oidcOn } from './oidc.ts'
import { refreshCookieFrom } from './refresh-cookie.ts'
import { type SessionContext, sessionHandler } from './session-handler.ts'
import { accessTokensFrom } from './token.ts'
import { type Viewers, viewersOn } from './viewer.ts'

export interface SignInParts extends Pick<Identity, 'berth' | 'throttle' | 'credentials'> {
  config: {
    server: Pick<Config['server'], 'publicUrl'>
    security: Pick<Config['security'], 'oidc' | 'allowedOrigins' | 'tokenTtlSeconds'>
  }
  /** Keys for signing and sealing are derived from this secret. */
  secret: Secret
  clock: Clock
  log: Log
}

export interface SignIn {
  /** Used by the use cases `login` and `changePassword`. */
  identity: Identity
  viewers: Viewers
  /** The handlers of `/auth/*`. */
  handlersFor: (parts: Pick<SessionContext, 'runQuery' | 'charge'>) => readonly Handler[]
  /**
   * True when the browser sends a valid session cookie. It does not check if the session has ended.
   */
  hasSession: (cookies: string | undefined) => boolean
}

/** Creates everything that authenticates callers. */
export function signInOn(parts: SignInParts): SignIn {
  const { config, secret, clock, log, berth, throttle, credentials } = parts
  const { oidc: oidcConfig, allowedOrigins, tokenTtlSeconds } = config.security
  const { publicUrl } = config.server
  const secure = publicUrl.startsWith('https:')
  const tokens = accessTokensFrom(secret, clock)
  const identity: Identity = { berth, throttle, credentials, tokens, tokenTtlSeconds }
  const cookie = refreshCookieFrom(secret, secure)
  const device = deviceCookieFrom(secret, secure)
  const failure = failureCookieFrom(secret, secure)
  const oidc = oidcConfig
    ? [
        oidcHandler({
          identity,
          cookie,
          failure,
          secure,
          log,
          oidc: oidcOn({ config: oidcConfig, publicUrl, secret, clock }),
        }),
      ]
    : []
  const handlersFor: SignIn['handlersFor'] = (shared) => [
    sessionHandler({
      identity,
      cookie,
      device,
      failure,
      allowedOrigins: originsOn({ publicUrl, allowedOrigins }),
      oidc: oidcConfig,
      ...shared,
    }),
    ...oidc,
  ]
  const hasSession = (cookies: string | undefined): boolean => cookie.read(cookies) !== null
  return {
    identity,
    viewers: viewersOn({ identity, tokens, clock }),
    handlersFor,
    hasSession,
  }
}
