import type { Clock } from '../runtime/clock.ts'

export interface Grant {
  accessToken: string
  expiresAt: string
}

/**
 * `gone` is the server's word that the session is over; anything thrown is only a bad connection.
 */
export type Renewal = Grant | 'gone'

export interface TokenKeeper {
  /**
   * A token that is still good for a while, renewed first when it is not; null when the session is
   * over.
   */
  token(): Promise<string | null>
  adopt(grant: Grant): void
  drop(): void
  renew(): Promise<boolean>
}

interface Parts {
  clock: Clock
  fetchGrant: () => Promise<Renewal>
  onGone: () => void
}

const marginMs = 30_000

/**
 * Keeps the access token in memory only and renews it shortly before it ends, once for all who
 * wait.
 */
export function createTokenKeeper({ clock, fetchGrant, onGone }: Parts): TokenKeeper {
  let held: { token: string; endsAt: number } | null = null
  let renewal: Promise<boolean> | null = null

  const leftMs = () => (held ? held.endsAt - clock.now() : 0)

  function adopt(grant: Grant) {
    held = { token: grant.accessToken, endsAt: Date.parse(grant.expiresAt) }
  }

  function renew(): Promise<boolean> {
    renewal ??= fetchGrant()
      .then((answer) => {
        if (answer === 'gone') {
          held = null
          onGone()
          return false
        }
        adopt(answer)
        return true
      })
      .finally(() => {
        renewal = null
      })
    return renewal
  }

  async function token() {
    if (leftMs() > marginMs) return held?.token ?? null
    try {
      await renew()
    } catch (error) {
      // A token that is still good for some seconds beats an error page.
      if (leftMs() <= 0) throw error
    }
    return held?.token ?? null
  }

  return { token, adopt, drop: () => (held = null), renew }
}
