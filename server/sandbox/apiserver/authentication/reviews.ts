import { clock } from '../../clock.ts'
import { type Call } from '../request.ts'
import { refuse } from '../../objects/status.ts'
import { dig } from '../../objects/dig.ts'
import { type JsonMap } from '../../objects/types.ts'
import { accountBehind } from './authenticate.ts'
import { type Identity } from '../../objects/identity.ts'
import { issuer } from './tokens.ts'

/** What the asker counts as. */
export const selfReview = ({ user }: Call): JsonMap => ({
  metadata: { creationTimestamp: clock.timestamp() },
  status: { userInfo: userIn(user) },
})

/**
 * Whose token it is. The administrator's own is a secret of the sandbox and no token of an account.
 */
export function tokenReview({ store, tokens }: Call, spec: JsonMap): JsonMap {
  const token = dig.text(spec, 'token')
  if (token === '') throw refuse.badRequest('token is required for TokenReview in authentication')
  const asked = dig.texts(spec, 'audiences')
  const account = accountBehind(
    { store, tokens, token: '' },
    token,
    asked.length > 0 ? asked : [issuer],
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
