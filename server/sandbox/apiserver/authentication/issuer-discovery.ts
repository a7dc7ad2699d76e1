import { type Answer } from '../request.ts'
import { type Tokens, algorithm, issuer } from './tokens.ts'

/**
 * Paths at which external services find the keys that verify the tokens. They are relative to the
 * root of the API server.
 */
export const issuerPaths = {
  configuration: '.well-known/openid-configuration',
  keys: 'openid/v1/jwks',
} as const

export const keySetType = 'application/jwk-set+json'

/** Keys rarely change, so clients may cache them for an hour. */
const headers = { 'cache-control': 'public, max-age=3600' }

/** Serves the OpenID discovery documents of the service account issuer. Null for other paths. */
export function issuerDiscovery(path: string, tokens: Tokens, address: string): Answer | null {
  const requestedPath = path.replace(/^\/|\/$/g, '')
  if (requestedPath === issuerPaths.keys)
    return { status: 200, body: { keys: [tokens.publicKey()] }, contentType: keySetType, headers }
  if (requestedPath !== issuerPaths.configuration) return null
  const body = {
    issuer,
    jwks_uri: `https://${address}/${issuerPaths.keys}`,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [algorithm],
  }
  return { status: 200, body, contentType: 'application/json', headers }
}
