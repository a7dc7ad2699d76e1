import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { type Secret } from './config/secret.ts'

/**
 * Encrypts short texts at rest with a key from the installation's secret. Each `purpose` has its
 * own key.
 */
export interface Seal {
  close(text: string): Buffer
  open(sealed: Buffer): string
}

const ivBytes = 12
const tagBytes = 16

export function sealFromSecret(secret: Secret, purpose: string): Seal {
  const key = Buffer.from(hkdfSync('sha256', secret.reveal(), 'berth', purpose, 32))
  return {
    close(text) {
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv('aes-256-gcm', key, iv)
      return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
    },
    open(sealed) {
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, ivBytes))
      decipher.setAuthTag(sealed.subarray(-tagBytes))
      return Buffer.concat([
        decipher.update(sealed.subarray(ivBytes, -tagBytes)),
        decipher.final(),
      ]).toString('utf8')
    },
  }
}
