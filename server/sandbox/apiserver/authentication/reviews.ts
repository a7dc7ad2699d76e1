import { clock } from '../../clock.ts'
import { type Call } from '../request.ts'
import { refuse } from '../../objects/status.ts'
import { dig } from '../../objects/dig.ts'
import { type JsonMap } from '../../objects/types.ts'
import { accountOfToken } from './authenticate.ts'
import { type Identity } from '../../objects/identity.ts'
import { issuer } from './tokens.ts'

/** Answers a SelfSubjectReview: tells the requester who they are for the API server. */
export const selfReview = ({ user }: Call): JsonMap => ({
  metadata: { creationTimestamp: clock.timestamp() },
  status: { userInfo: userIn(user) },
})

/**
 * Returns the user of a service account token. The token of the administrator is a secret of the
 * sandbox and is not accepted here.
 */
export function tokenReview({ store, tokens }: Call, spec: JsonMap): JsonMap {
  const token = dig.text(spec, 'token')
  if (token === '') throw refuse.badRequest('token is required for TokenReview in authentication')
  const requestedAudiences = dig.texts(spec, 'audiences')
  const account = accountOfToken(
    { store, tokens, token: '' },
    token,
    requestedAudiences.length > 0 ? requestedAudiences : [issuer],
  )
  const metadata = {}
  if (!account) return { metadata, spec, status: { user: {}, error: 'invalid bearer token' } }
  return {
    metadata,
    spec,
    status: {
      authenticated: true,
      user: userIn(account.identity),
      audiences: [...account.audiences],
    },
  }
}

const userIn = ({ name, uid, groups, extra }: Identity): JsonMap => ({
  username: name,
  ...(uid === undefined ? {} : { uid }),
  groups: [...groups],
  ...(extra === undefined
    ? {}
    : {
        extra: Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, [...values]])),
      }),
})
