import { ipv4BlockFromText, ipv4FromText, textFromIpv4 } from '../ipv4.ts'
import { type FileKeys } from './schema.ts'

type PublicKeys = FileKeys['platform']['networking']['public']

const publicPath = 'platform.networking.public'

/** Checks keys that need or exclude each other. Each sentence begins with the path. */
export function problemsBetweenKeys(file: FileKeys): string[] {
  return [
    ...publicProblems(file.platform.networking.public),
    ...tlsProblems(file.server.tls),
    ...poolSizeProblems(file.database.pool),
    ...clusterProblems(file.cluster),
    ...oidcProblems(file.security.oidc),
    ...importProblems(file),
  ]
}

function publicProblems(keys: PublicKeys): string[] {
  return [...missingForPublic(keys), ...poolProblems(keys)]
}

function missingForPublic(keys: PublicKeys): string[] {
  if (!keys.enabled) return []
  const problems: string[] = []
  if (!keys.cidr && keys.ipPool.length > 0)
    problems.push(
      `${publicPath}.cidr is missing; no network of at most 65,536 addresses holds ${publicPath}.ipPool`,
    )
  if (keys.ipPool.length === 0)
    problems.push(
      `${publicPath}.ipPool is missing; the public network is enabled and needs addresses to give out`,
    )
  if (keys.uplink !== null && keys.uplink === keys.bridge.name)
    problems.push(
      `${publicPath}.uplink must be another interface than ${publicPath}.bridge.name, which is made over it`,
    )
  if (!keys.bridge.name && !keys.uplink) {
    problems.push(
      `${publicPath}.bridge.name is missing; the public network is enabled and needs a bridge, or ${publicPath}.uplink to make one over`,
    )
  }
  return problems
}

function poolProblems(keys: PublicKeys): string[] {
  const block = keys.cidr ? ipv4BlockFromText(keys.cidr) : null
  const ranges = keys.ipPool.map(({ first, last }) => ({
    text: `${first}-${last}`,
    first: ipv4FromText(first),
    last: ipv4FromText(last),
  }))
  const problems: string[] = []
  let end = -1
  for (const range of ranges.sort((a, b) => (a.first ?? 0) - (b.first ?? 0))) {
    const wrong = rangeProblem(range, block, end)
    if (wrong) problems.push(`${publicPath}.ipPool ${wrong}`)
    end = Math.max(end, range.last ?? -1)
  }
  return problems
}

interface NumberedRange {
  text: string
  first: number | null
  last: number | null
}

function rangeProblem(
  { text, first, last }: NumberedRange,
  block: { first: number; last: number; text: string } | null,
  end: number,
): string | null {
  if (first === null || last === null) return `holds ${text}, which is not a pair of IPv4 addresses`
  if (first > last) return `holds ${text}, which ends before it begins`
  if (first <= end) return `names ${textFromIpv4(first)} twice`
  if (!block) return null
  if (first < block.first || last > block.last)
    return `holds ${text}, which is not inside ${block.text}`
  return isReserved({ first, last }, block)
    ? `holds the network or the broadcast address of ${block.text}`
    : gatewayProblem({ first, last }, block)
}

function gatewayProblem(
  range: { first: number; last: number },
  block: { first: number; text: string },
): string | null {
  const gateway = block.first + 1
  return range.first <= gateway && gateway <= range.last
    ? `holds ${textFromIpv4(gateway)}, which is the gateway of ${block.text}`
    : null
}

// /31 and /32 have neither a network address nor a broadcast address.
function isReserved(
  range: { first: number; last: number },
  block: { first: number; last: number },
): boolean {
  return block.last - block.first >= 3 && (range.first === block.first || range.last === block.last)
}

function tlsProblems(tls: FileKeys['server']['tls']): string[] {
  if (Boolean(tls.cert) === Boolean(tls.key)) return []
  return [
    tls.cert
      ? 'server.tls.key is missing; server.tls.cert alone is not enough'
      : 'server.tls.cert is missing; server.tls.key alone is not enough',
  ]
}

function poolSizeProblems(pool: FileKeys['database']['pool']): string[] {
  const needed = pool.reservedForReads + pool.writesPerTenant + 1
  if (pool.size >= needed) return []
  return [
    `database.pool.size must be at least ${needed}: database.pool.reservedForReads, database.pool.writesPerTenant and one more`,
  ]
}

function clusterProblems({ kind, kubeconfig, context }: FileKeys['cluster']): string[] {
  if (kind === 'kubeconfig') return []
  return Object.entries({ kubeconfig, context })
    .filter(([, value]) => value)
    .map(([key]) => `cluster.${key} needs cluster.kind: kubeconfig, but it is ${kind}`)
}

/**
 * The importer of the sandbox runs on this machine, so by default it may fetch from everything that
 * this machine reaches. That is right only while nothing else reaches Berth.
 */
function importProblems({ cluster, server, import: rules }: FileKeys): string[] {
  if (cluster.kind !== 'sandbox' || isServedLocally(server)) return []
  return (['allowHttp', 'allowPrivate'] as const)
    .filter((name) => rules[name])
    .map(
      (name) =>
        `import.${name} must be set to false, because other machines reach Berth (server.host, server.publicUrl) and could read the network of this one through imports into the sandbox`,
    )
}

/** True when only this machine reaches Berth, as far as the settings tell. */
export const isServedLocally = ({
  host,
  publicUrl,
}: Pick<FileKeys['server'], 'host' | 'publicUrl'>): boolean =>
  isLoopback(host) && (publicUrl === null || isLoopback(new URL(publicUrl).hostname))

const isLoopback = (host: string): boolean =>
  /^(?:localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/.test(host)

function oidcProblems(oidc: FileKeys['security']['oidc']): string[] {
  if (!oidc) return []
  const { protocol, hostname } = new URL(oidc.issuer)
  const isSecure = protocol === 'https:' || isLoopback(hostname)
  return [
    ...(isSecure
      ? []
      : [
          'security.oidc.issuer must be an https:// URL; only an issuer on this machine may go without',
        ]),
    ...(oidc.groupRoles.length > 0 && oidc.roleClaim === null
      ? ['security.oidc.groupRoles needs security.oidc.roleClaim, the claim with the groups']
      : []),
  ]
}
