export interface BackoffLimits {
  firstMs: number
  capMs: number
}

/**
 * Returns a delay with full jitter: a random time between zero and the doubled, capped delay.
 * Clients that fail together then spread out. `attempt` starts at 1.
 */
export function backoffMs(
  attempt: number,
  limits: BackoffLimits,
  random: () => number = Math.random,
): number {
  const ceiling = Math.min(limits.capMs, limits.firstMs * 2 ** Math.min(attempt - 1, 30))
  return Math.round(random() * ceiling)
}
