import { networkFromAddress } from '../model/ip-address.ts'
import { type SocketLimits } from './socket-limits.ts'

/** Counts the connections that are not authenticated yet, and refuses one beyond a limit. */
export class StrangerLimiter {
  readonly #limits: Pick<SocketLimits, 'unauthenticatedSockets' | 'unauthenticatedPerNetwork'>
  readonly #networks = new Map<string, number>()
  #total = 0

  constructor(limits: Pick<SocketLimits, 'unauthenticatedSockets' | 'unauthenticatedPerNetwork'>) {
    this.#limits = limits
  }

  /**
   * Returns a function to call once the connection is authenticated or closed, or null when there
   * are too many.
   */
  admit(address: string): (() => void) | null {
    const network = networkFromAddress(address)
    const before = this.#networks.get(network) ?? 0
    const { unauthenticatedSockets, unauthenticatedPerNetwork } = this.#limits
    if (this.#total >= unauthenticatedSockets || before >= unauthenticatedPerNetwork) return null
    this.#total += 1
    this.#networks.set(network, before + 1)
    let isCounted = true
    return () => {
      if (!isCounted) return
      isCounted = false
      this.#release(network)
    }
  }

  #release(network: string): void {
    this.#total -= 1
    const left = (this.#networks.get(network) ?? 1) - 1
    if (left > 0) this.#networks.set(network, left)
    else this.#networks.delete(network)
  }
}
