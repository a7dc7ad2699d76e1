/**
 * The address and the credentials of the API server. They are read again after `renew`, because
 * tokens rotate and a sandbox may change its port.
 */
export interface Endpoint {
  url: string
  headers: Readonly<Record<string, string>>
  ca?: string | Buffer | undefined
  cert?: string | Buffer | undefined
  key?: string | Buffer | undefined
  /** True only when a kubeconfig disables TLS verification. */
  acceptAnyCertificate?: boolean
}

export interface EndpointSource {
  current(): Promise<Endpoint>
  /** Drops the cached endpoint. */
  renew(): void
}

/** Caches the endpoint until it is renewed or too old. */
export function cachedEndpoint(
  read: () => Promise<Endpoint>,
  { maxAgeMs, elapsedMs }: { maxAgeMs: number; elapsedMs: () => number },
): EndpointSource {
  let cached: { endpoint: Promise<Endpoint>; atMs: number } | null = null
  return {
    current() {
      if (cached && elapsedMs() - cached.atMs < maxAgeMs) return cached.endpoint
      const endpoint = read()
      cached = { endpoint, atMs: elapsedMs() }
      // The next call must repeat a failed read.
      endpoint.catch(() => (cached = null))
      return endpoint
    },
    renew() {
      cached = null
    },
  }
}
