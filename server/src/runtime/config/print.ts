import { stringify } from 'yaml'
import { type Config, usualPublicBridge } from './config.ts'
import { Secret } from './secret.ts'

const loopback = ['127.0.0.1', 'localhost', '::1']

/**
 * Returns warnings about settings that work but are probably mistakes. Each sentence begins with
 * the key.
 */
export function configWarnings(config: Config): string[] {
  const { networking } = config.platform
  const isExposed = !loopback.includes(config.server.host)
  const warnings: [boolean, string][] = [
    [
      networking.public.mode === 'macvlan',
      'platform.networking.public.mode: macvlan changes nothing; VMs are attached through the bridge (macvlan does not carry their addresses)',
    ],
    [
      isExposed && !config.server.publicUrl.startsWith('https:'),
      `server.host: ${config.server.host} is reachable from other hosts without TLS; passwords are sent unencrypted`,
    ],
    [
      config.database.url !== null && config.security.secret === null,
      'BERTH_SECRET is not set; with an external database every replica needs the same one',
    ],
    [
      networking.public.enabled && networking.public.uplink !== null,
      `platform.networking.public.uplink: where the cluster has no NMState, make the bridge ${networking.public.bridge.name ?? usualPublicBridge} on every node yourself, with ${networking.public.uplink} in it`,
    ],
    [
      networking.public.enabled && networking.public.dns.length === 0,
      'platform.networking.public.dns is empty; VMs on the public network resolve no names',
    ],
    [
      config.security.oidc !== null && config.security.oidc.clientSecret === null,
      'BERTH_OIDC_CLIENT_SECRET is not set; the login works only with an issuer that accepts public clients',
    ],
  ]
  return warnings.filter(([applies]) => applies).map(([, sentence]) => sentence)
}

/**
 * Returns the configuration with all defaults as YAML, with the keys and order of berth.yaml.
 * Secrets appear as `[redacted]`.
 */
export function effectiveConfig(config: Config): string {
  const { file, ...keys } = config
  return `# ${file ?? 'no berth.yaml: all defaults'}\n${stringify(plain(keys), { lineWidth: 0 })}`
}

function plain(value: unknown): unknown {
  if (value instanceof Secret) return value.toString()
  if (Array.isArray(value)) return value.map(plain)
  if (isRange(value)) return `${value.first}-${value.last}`
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]))
}

const isRange = (value: unknown): value is { first: string | number; last: string | number } =>
  typeof value === 'object' && value !== null && 'first' in value && 'last' in value
