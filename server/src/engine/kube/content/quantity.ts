const factors: Readonly<Record<string, number>> = {
  '': 1,
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
}

/** Returns the bytes of a Kubernetes quantity; null for a text that is no quantity. */
export function bytesFrom(quantity: string | null): number | null {
  const bytes = numberFrom(quantity)
  return bytes === null ? null : Math.ceil(bytes)
}

/** Returns the value of a quantity without rounding, as for CPU cores. */
export function numberFrom(quantity: string | null): number | null {
  const [, number = '', unit = ''] =
    /^(\d+(?:\.\d+)?(?:e\d+)?)([A-Za-z]{0,2})$/.exec(quantity ?? '') ?? []
  const factor = factors[unit]
  return number === '' || factor === undefined ? null : Number(number) * factor
}
