import { type IncomingMessage } from 'node:http'
import { attributesOf } from '../authorization/attributes.ts'
import { mustBeAllowed } from '../authorization/must-be-allowed.ts'
import { type Credentials, authenticate } from './authenticate.ts'
import { type Identity } from '../../objects/identity.ts'
import { impersonatedIdentity } from './impersonate.ts'

/** Authenticates, impersonates and authorizes a request. Every request to the API passes here. */
export function admitRequest(credentials: Credentials, request: IncomingMessage): Identity {
  const [path = '/', search = ''] = (request.url ?? '/').split(/\?(.*)/s)
  const { store } = credentials
  const identity = impersonatedIdentity(store, authenticate(credentials, request), request)
  mustBeAllowed(
    store,
    identity,
    attributesOf(request.method ?? '', path, new URLSearchParams(search)),
  )
  return identity
}
