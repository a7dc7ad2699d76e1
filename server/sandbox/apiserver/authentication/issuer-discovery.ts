import { type Answer } from '../request.ts'
import { type Tokens, algorithm, issuer } from './tokens.ts'

/** Where others than the server itself learn how to check its tokens; paths below the root. */
export const issuerPaths = {
  configuration: '.well-known/openid-configuration',
  keys: 'openid/v1/jwks',
} as const

export const keySetType = 'application/jwk-set+json'

/** A key is good for a while, unlike what changes with every write. */
const headers = { 'cache-control': 'public, max-age=3600' }

/** What the issuer of service account tokens tells of itself; null when the path is none of it. */
export function describeIssuer(path: string, tokens: Tokens, address: string): Answer | null {
  const asked = path.replace(/^\/|\/$/g, '')
  if (asked === issuerPaths.keys)
    return { status: 200, body: { keys: [tokens.publicKey()] }, contentType: keySetType, headers }
  if (asked !== issuerPaths.configuration) return null
  const body = {
    issuer,
    jwks_uri: `https://${address}/${issuerPaths.keys}`,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [algorithm],
  }
  return { status: 200, body, contentType: 'application/json', headers }
}
