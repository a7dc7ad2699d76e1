/**
 * An API key as clients see it, without its secret. Programs use it in place of a user's session.
 */
export interface ApiKeyView {
  id: string
  userId: string
  username: string
  tenantId: string
  name: string
  prefix: string
  /** Empty means all permissions of the owner. */
  scopes: string[]
  expiresAt: string | null
  lastUsedAt: string | null
  revokedAt: string | null
  version: number
  createdAt: string
}

const shape = /^vfd_live_([0-9a-f]{8})_[0-9a-f]{48}$/

/** Returns the text of a key in the format that existing clients recognize. */
export function apiKeyText(prefix: string, secret: string): string {
  return `vfd_live_${prefix}_${secret}`
}

/** True when the credential has the prefix of an API key. Any other credential is a token. */
export function hasApiKeyPrefix(text: string): boolean {
  return text.startsWith('vfd_live_')
}

/**
 * Returns the public part of a key, which identifies its row. Null when the text is not an API key.
 */
export function apiKeyPrefix(text: string): string | null {
  return shape.exec(text)?.[1] ?? null
}
