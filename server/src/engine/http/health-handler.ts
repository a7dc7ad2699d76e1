import { type Handler } from './http.ts'
import { type Reply, jsonReply, textReply } from './reply.ts'

export interface Health {
  /** Resolves with null when the server is ready, otherwise with the missing part. */
  notReady(): Promise<string | null>
  metrics(): Promise<{ type: string; text: string }>
}

/** Serves the health checks and the metrics, for Kubernetes and Prometheus. */
export function healthHandler(health: Health): Handler {
  return ({ url, method }) =>
    paths.has(url.pathname) && (method === 'GET' || method === 'HEAD')
      ? answer(health, url.pathname)
      : null
}

const paths = new Set(['/healthz', '/health', '/readyz', '/metrics'])

async function answer(health: Health, path: string): Promise<Reply | null> {
  switch (path) {
    case '/healthz':
      return textReply(200, 'ok\n')
    case '/health':
      return jsonReply(200, { status: 'ok', service: 'berth', hypervisor: 'kubevirt' })
    case '/readyz': {
      const missing = await health.notReady()
      return missing === null
        ? textReply(200, 'ready\n')
        : textReply(503, `not ready: ${missing}\n`)
    }
    case '/metrics': {
      const { type, text } = await health.metrics()
      return textReply(200, text, type)
    }
    default:
      return null
  }
}
