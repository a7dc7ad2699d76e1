import { type SocketLimits } from './socket-limits.ts'

export interface ConnectionOwner {
  userId: string
  tenantId: string | null
}

/** Counts the open sockets of each user and tenant, and refuses a socket beyond a limit. */
export class ConnectionLimiter {
  readonly #limits: Pick<SocketLimits, 'socketsPerUser' | 'socketsPerTenant'>
  readonly #users = new Map<string, number>()
  readonly #tenants = new Map<string, number>()

  constructor(limits: Pick<SocketLimits, 'socketsPerUser' | 'socketsPerTenant'>) {
    this.#limits = limits
  }

  acquire({ userId, tenantId }: ConnectionOwner): boolean {
    const { socketsPerUser, socketsPerTenant } = this.#limits
    if ((this.#users.get(userId) ?? 0) >= socketsPerUser) return false
    if (tenantId !== null && (this.#tenants.get(tenantId) ?? 0) >= socketsPerTenant) return false
    add(this.#users, userId, 1)
    if (tenantId !== null) add(this.#tenants, tenantId, 1)
    return true
  }

  release({ userId, tenantId }: ConnectionOwner): void {
    add(this.#users, userId, -1)
    if (tenantId !== null) add(this.#tenants, tenantId, -1)
  }
}

function add(counts: Map<string, number>, key: string, by: number): void {
  const count = (counts.get(key) ?? 0) + by
  if (count > 0) counts.set(key, count)
  else counts.delete(key)
}
