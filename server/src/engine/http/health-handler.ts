import { timingSafeEqual } from 'node:crypto'
import { sha256 } from '../../runtime/ids.ts'
import { type Secret } from '../../runtime/config/secret.ts'
import { type Handler } from './http.ts'
import { type Reply, jsonReply, textReply } from './reply.ts'

export interface Health {
  /** Resolves with null when the server is ready, otherwise with the missing part. */
  notReady(): Promise<string | null>
  metrics(): Promise<{ type: string; text: string }>
}

/** Decides which callers read the metrics: all, none, or those with the token. */
export type MetricsAccess = 'all' | 'none' | Secret

/**
 * Serves the health checks and the metrics, for Kubernetes and Prometheus. The metrics tell
 * strangers about the load and the faults of an installation, so they may need a token.
 */
export function healthHandler(health: Health, metricsAccess: MetricsAccess): Handler {
  return ({ url, method, request }) => {
    if (!paths.has(url.pathname) || (method !== 'GET' && method !== 'HEAD')) return null
    const refusal =
      url.pathname === '/metrics'
        ? metricsRefusal(metricsAccess, request.headers.authorization)
        : null
    return refusal ?? answer(health, url.pathname)
  }
}

function metricsRefusal(access: MetricsAccess, authorization = ''): Reply | null {
  if (access === 'all') return null
  if (access === 'none')
    return textReply(
      403,
      'This server shows no metrics, because other machines reach it; set BERTH_METRICS_TOKEN and send that token.\n',
    )
  if (timingSafeEqual(sha256(authorization), sha256(`Bearer ${access.reveal()}`))) return null
  const refusal = textReply(
    401,
    'The metrics need the token of BERTH_METRICS_TOKEN; send it after "Bearer" in the Authorization header.\n',
  )
  return { ...refusal, headers: { ...refusal.headers, 'www-authenticate': 'Bearer' } }
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
