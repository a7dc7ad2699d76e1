/**
 * Where the cluster is and how to be let in. Read anew after `renew`, because tokens rotate and a
 * sandbox may move.
 */
export interface Endpoint {
  url: string
  headers: Readonly<Record<string, string>>
  ca?: string | Buffer | undefined
  cert?: string | Buffer | undefined
  key?: string | Buffer | undefined
  /** Only when a kubeconfig says so. */
  acceptAnyCertificate?: boolean
}

export interface EndpointSource {
  current(): Promise<Endpoint>
  /** What was read before is not believed any longer. */
  renew(): void
}

/** Remembers what was read, until it is renewed or too old. */
export function remembered(
  read: () => Promise<Endpoint>,
  { maxAgeMs, elapsedMs }: { maxAgeMs: number; elapsedMs: () => number },
): EndpointSource {
  let known: { endpoint: Promise<Endpoint>; atMs: number } | null = null
  return {
    current() {
      if (known && elapsedMs() - known.atMs < maxAgeMs) return known.endpoint
      const endpoint = read()
      known = { endpoint, atMs: elapsedMs() }
      // A failed read must be tried again by the next call.
      endpoint.catch(() => (known = null))
      return endpoint
    },
    renew() {
      known = null
    },
  }
}
