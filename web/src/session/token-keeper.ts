import type { Clock } from '../runtime/clock.ts'

export interface Grant {
  accessToken: string
  expiresAt: string
}

/** `gone` means that the server ended the session. A failed connection throws instead. */
export type Renewal = Grant | 'gone'

export interface TokenKeeper {
  /** Returns a valid token, after a renewal when needed. Null when the session has ended. */
  token(): Promise<string | null>
  adopt(grant: Grant): void
  drop(): void
  renew(): Promise<boolean>
}

interface TokenKeeperOptions {
  clock: Clock
  fetchGrant: () => Promise<Renewal>
  onGone: () => void
}

const marginMs = 30_000

/**
 * Stores the access token in memory only and renews it shortly before it expires. Concurrent
 * callers share one renewal.
 */
export function createTokenKeeper({ clock, fetchGrant, onGone }: TokenKeeperOptions): TokenKeeper {
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
      // A token that is valid for some more seconds is better than an error page.
      if (leftMs() <= 0) throw error
    }
    return held?.token ?? null
  }

  return { token, adopt, drop: () => (held = null), renew }
}
