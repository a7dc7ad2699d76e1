export interface ApiKeyView {
  id: string
  userId: string
  username: string
  tenantId: string
  name: string
  prefix: string
  /** Empty: whatever the owner may do. */
  scopes: string[]
  expiresAt: string | null
  lastUsedAt: string | null
  revokedAt: string | null
  version: number
  createdAt: string
}

const shape = /^vfd_live_([0-9a-f]{8})_[0-9a-f]{48}$/

/** The text of a key, in the form that existing clients recognise. */
export function apiKeyText(prefix: string, secret: string): string {
  return `vfd_live_${prefix}_${secret}`
}

/** Whether a credential claims to be an API key; anything else is a token. */
export function looksLikeApiKey(text: string): boolean {
  return text.startsWith('vfd_live_')
}

/** The public part of a key, by which its row is found; null when the text is no key. */
export function apiKeyPrefix(text: string): string | null {
  return shape.exec(text)?.[1] ?? null
}
