import { type MetricsAccess } from '../engine/http/health-handler.ts'
import { type Config } from '../runtime/config/config.ts'
import { isServedLocally } from '../runtime/config/rules.ts'

/**
 * Returns who may read the metrics on the port of the API. Without a token they are only for this
 * machine. A worker has a port of its own, which is not published, so it needs no token.
 */
export function apiMetricsAccess({
  security,
  server,
}: Pick<Config, 'security' | 'server'>): MetricsAccess {
  return security.metricsToken ?? (isServedLocally(server) ? 'all' : 'none')
}
