import { addressOf } from '../http/http.ts'
import { networkFromAddress } from '../model/ip-address.ts'
import { type SocketLimits } from './socket-limits.ts'
import { type Upgrade, refuseUpgrade } from './upgrade.ts'

type StrangerLimits = Pick<SocketLimits, 'unauthenticatedSockets' | 'unauthenticatedPerNetwork'>

/** Counts the connections that are not authenticated yet, and refuses one beyond a limit. */
export class StrangerLimiter {
  readonly #limits: StrangerLimits
  readonly #trustProxy: number
  readonly #networks = new Map<string, number>()
  #total = 0

  constructor(limits: StrangerLimits, { trustProxy }: { trustProxy: number }) {
    this.#limits = limits
    this.#trustProxy = trustProxy
  }

  /**
   * Counts the connection until it is closed, or until the returned function is called because it
   * is authenticated. Refuses it and returns null when there are too many.
   */
  admit({ request, stream }: Upgrade): (() => void) | null {
    const release = this.#count(addressOf(request, this.#trustProxy))
    if (release) stream.once('close', release)
    else refuseUpgrade(stream, 503)
    return release
  }

  #count(address: string): (() => void) | null {
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
