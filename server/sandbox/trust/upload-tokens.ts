import { constants, createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import { clock } from '../clock.ts'

const validSeconds = 300

export interface UploadKey {
  /** PEM. */
  privateKey: string
}

export function newUploadKey(): UploadKey {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return { privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() }
}

/**
 * Issues upload tokens. The key is created for the first token, because most clusters never need
 * one.
 */
export class UploadTokens {
  readonly #keyOf: () => UploadKey

  constructor(keyOf: () => UploadKey) {
    this.#keyOf = keyOf
  }

  for(namespace: string, claim: string): string {
    const now = Math.floor(clock.nowMs() / 1000)
    const times = { exp: now + validSeconds, iat: now, nbf: now }
    const resource = { group: '', version: 'v1', resource: 'persistentvolumeclaims' }
    const payload = {
      ...times,
      iss: 'cdi-apiserver',
      operation: 'Upload',
      name: claim,
      namespace,
      resource,
    }
    const signed = [{ alg: 'PS256' }, payload]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.')
    const key = createPrivateKey(this.#keyOf().privateKey)
    const signature = sign('sha256', Buffer.from(signed), {
      key,
      padding: constants.RSA_PKCS1_PSS_PADDING,
      saltLength: 32,
    })
    return `${signed}.${signature.toString('base64url')}`
  }
}
