export const sessionKinds = ['session', 'token'] as const
export type SessionKind = (typeof sessionKinds)[number]

/** A login as clients see it: a session of the console, or the token of a script. */
export interface SessionView {
  id: string
  userId: string
  username: string
  tenantId: string
  kind: SessionKind
  userAgent: string
  /** The address that the login came from. */
  address: string
  createdAt: string
  lastUsedAt: string
  expiresAt: string
}
