export interface BackoffLimits {
  firstMs: number
  capMs: number
}

/**
 * Full jitter: anywhere between zero and the doubled, capped delay, so that a herd spreads.
 * `attempt` starts at 1.
 */
export function backoffMs(
  attempt: number,
  limits: BackoffLimits,
  random: () => number = Math.random,
): number {
  const ceiling = Math.min(limits.capMs, limits.firstMs * 2 ** Math.min(attempt - 1, 30))
  return Math.round(random() * ceiling)
}
