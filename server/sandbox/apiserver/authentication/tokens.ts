import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomUUID,
  sign,
  verify,
} from 'node:crypto'
import { clock } from '../../clock.ts'
import { type Json, type JsonMap, isMap } from '../../objects/types.ts'

/** The claims of a service account token. */
export interface Claims extends JsonMap {
  sub: string
  aud: string[]
  /** Absent for tokens in Secrets, which do not expire. */
  exp?: number
  jti: string
  'kubernetes.io': JsonMap
}

/** The issuer of all tokens, which is also the default audience. */
export const issuer = 'https://kubernetes.default.svc.cluster.local'

export const algorithm = 'ES256'

/** Creates a signing key. The sandbox stores it, so that tokens stay valid after a restart. */
export function newSigningKey(): { privateKey: string } {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  return { privateKey: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString() }
}

const nowSeconds = (): number => Math.floor(clock.nowMs() / 1000)
const encode = (value: Json): string => Buffer.from(JSON.stringify(value)).toString('base64url')
/** Verifying a signature takes longer than listing all VMs, so recent tokens are cached. */
const maxCheckedTokens = 1000

/** Issues service account tokens and verifies them. */
export class Tokens {
  readonly #key: KeyObject
  readonly #publicKey: KeyObject
  readonly #keyId: string
  readonly #checked = new Map<string, Claims>()

  constructor({ privateKey }: { privateKey: string }) {
    this.#key = createPrivateKey(privateKey)
    this.#publicKey = createPublicKey(this.#key)
    this.#keyId = createHash('sha256')
      .update(this.#publicKey.export({ format: 'der', type: 'spki' }))
      .digest('base64url')
  }

  issue(
    claims: Pick<Claims, 'sub' | 'kubernetes.io'>,
    { audiences, seconds }: { audiences: readonly string[]; seconds?: number },
  ): string {
    const now = nowSeconds()
    const ends = seconds === undefined ? {} : { exp: now + seconds }
    const all = {
      aud: [...audiences],
      ...ends,
      iat: now,
      iss: issuer,
      jti: randomUUID(),
      nbf: now,
      ...claims,
    }
    const content = `${encode({ alg: algorithm, kid: this.#keyId })}.${encode(all)}`
    const signature = sign('sha256', Buffer.from(content), {
      key: this.#key,
      dsaEncoding: 'ieee-p1363',
    })
    return `${content}.${signature.toString('base64url')}`
  }

  /** Returns the public key as a JSON Web Key. */
  publicKey(): JsonMap {
    const { kty = '', crv = '', x = '', y = '' } = this.#publicKey.export({ format: 'jwk' })
    return { use: 'sig', kty, kid: this.#keyId, crv, alg: algorithm, x, y }
  }

  /** Returns the claims of a token. Null when it was not signed here or has expired. */
  claimsIn(token: string): Claims | null {
    const claims = this.#checked.get(token) ?? this.#check(token)
    if (!claims || (claims.exp !== undefined && claims.exp <= nowSeconds())) return null
    return claims
  }

  #check(token: string): Claims | null {
    const [head = '', body = '', signature = '', ...more] = token.split('.')
    if (signature === '' || more.length > 0) return null
    const key = { key: this.#publicKey, dsaEncoding: 'ieee-p1363' } as const
    if (!verify('sha256', Buffer.from(`${head}.${body}`), key, Buffer.from(signature, 'base64url')))
      return null
    // The cast holds because `issue` signed this JSON.
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as Json
    if (!isMap(claims)) return null
    if (this.#checked.size >= maxCheckedTokens) this.#checked.clear()
    // The cast holds because `issue` signed these claims.
    this.#checked.set(token, claims as Claims)
    return claims as Claims // The same cast.
  }
}
