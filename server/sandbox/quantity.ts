const factors: Readonly<Record<string, number>> = {
  ...{ n: 1e-9, u: 1e-6, m: 1e-3, '': 1, k: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15, E: 1e18 },
  ...{ Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40, Pi: 2 ** 50, Ei: 2 ** 60 },
}

/** The number that a quantity such as 500m, 2Gi or 1e3 stands for; null when it is none. */
export function numberOf(quantity: unknown): number | null {
  if (typeof quantity === 'number') return quantity
  if (typeof quantity !== 'string') return null
  const [, digits, exponent, suffix = ''] = /^([+-]?(?:\d+\.?\d*|\.\d+))(?:([eE][+-]?\d+)|([numkMGTPE]|[KMGTPE]i))?$/.exec(quantity) ?? []
  if (digits === undefined) return null
  return Number(digits) * (exponent === undefined ? (factors[suffix] ?? Number.NaN) : Number(`1${exponent}`))
}
