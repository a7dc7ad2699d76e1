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

/** What a token of a service account says. */
export interface Claims extends JsonMap {
  sub: string
  aud: string[]
  /** Without an end for the tokens that lie in Secrets. */
  exp?: number
  jti: string
  'kubernetes.io': JsonMap
}

/** Who signs, and for whom when nobody else is named. */
export const issuer = 'https://kubernetes.default.svc.cluster.local'

export const algorithm = 'ES256'

/** To be kept with the cluster, so that its tokens outlive a restart. */
export function newSigningKey(): { privateKey: string } {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  return { privateKey: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString() }
}

const nowSeconds = (): number => Math.floor(clock.nowMs() / 1000)
const encode = (value: Json): string => Buffer.from(JSON.stringify(value)).toString('base64url')
/**
 * Checking a signature takes longer than a whole list of machines, so those of late are remembered.
 */
const rememberedAtMost = 1000

/** Signs what service accounts show, and tells its own work from everything else. */
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

  /** What anybody can check its tokens with, as a JSON Web Key. */
  publicKey(): JsonMap {
    const { kty = '', crv = '', x = '', y = '' } = this.#publicKey.export({ format: 'jwk' })
    return { use: 'sig', kty, kid: this.#keyId, crv, alg: algorithm, x, y }
  }

  /** What a token says that was signed here and has not expired; null for everything else. */
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
    // Signed by ourselves, so of the shape that `issue` gives it.
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as Json
    if (!isMap(claims)) return null
    if (this.#checked.size >= rememberedAtMost) this.#checked.clear()
    // As above.
    this.#checked.set(token, claims as Claims)
    return claims as Claims // As above.
  }
}
