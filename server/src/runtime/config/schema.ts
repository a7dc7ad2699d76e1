import * as v from 'valibot'
import { ipv4BlockFromText, ipv4FromText } from '../ipv4.ts'
import { logLevels } from '../log.ts'

/*
 * The shape of berth.yaml. Every key is optional here, because a file says only what differs;
 * defaults and rules between keys are applied afterwards. Unknown keys are errors: a key that is
 * silently ignored is the worst kind of setting. Each message continues the sentence that begins
 * with the path of the key.
 */

const text = v.pipe(v.string(), v.nonEmpty('must not be empty'))
const whole = (least: number, most: number) => {
  const message = `must be a whole number from ${least} to ${most}`
  return v.pipe(
    v.number(message),
    v.integer(message),
    v.minValue(least, message),
    v.maxValue(most, message),
  )
}
const webUrl = v.pipe(
  text,
  v.check(isWebUrl, 'must be an http:// or https:// URL without user, query and fragment'),
)
const origin = v.pipe(
  text,
  v.check(
    (value) => originOf(value) === value,
    'must be an origin such as https://cloud.example.com',
  ),
)
const address = v.pipe(
  text,
  v.check((value) => ipv4FromText(value) !== null, 'must be an IPv4 address'),
)
const interfaceName = v.pipe(
  text,
  v.regex(/^[^\s/:]{1,15}$/, 'must be the name of a network interface (at most 15 characters)'),
)
const objectName = v.pipe(
  text,
  v.regex(/^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/, 'must be the name of a Kubernetes object'),
)
const hostName = v.pipe(
  text,
  v.regex(
    /^\.?[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/i,
    'must be a host name, or one that begins with a dot for all below it',
  ),
)
/** Empty: none. */
const driversImage = v.pipe(
  v.string(),
  v.regex(/^[a-z0-9][^\s]*$|^$/, 'must be the reference of a container image, or empty for none'),
)
const databaseUrl = v.pipe(text, v.check(isDatabaseUrl, 'must be a postgresql:// URL'))
const cidr = v.pipe(
  text,
  v.check(
    (value) => ipv4BlockFromText(value) !== null,
    'must be an IPv4 network such as 203.0.113.0/24',
  ),
  v.check(
    (value) => (ipv4BlockFromText(value)?.text ?? value) === value,
    (issue) => `must begin at the network's first address: ${ipv4BlockFromText(issue.input)?.text}`,
  ),
)
const addressRange = v.pipe(
  text,
  v.regex(
    /^[\d.]+(\s*-\s*[\d.]+)?$/,
    'must be an address or a range such as 203.0.113.10-203.0.113.99',
  ),
)

const publicNetwork = v.strictObject({
  enabled: v.optional(v.boolean()),
  bridge: v.optional(v.strictObject({ name: v.optional(interfaceName) })),
  mode: v.optional(v.picklist(['bridge', 'macvlan'])),
  uplink: v.optional(interfaceName),
  cidr: v.optional(cidr),
  ipPool: v.optional(
    v.union(
      [addressRange, v.array(addressRange)],
      'must be a range such as 203.0.113.10-203.0.113.99, or a list of them',
    ),
  ),
  dns: v.optional(v.array(address)),
})

const oidc = v.strictObject({
  issuer: webUrl,
  clientId: text,
  scopes: v.optional(v.array(text)),
  displayName: v.optional(text),
  usernameClaim: v.optional(text),
  tenantClaim: v.optional(text),
  roleClaim: v.optional(text),
})

const serverKeys = v.strictObject({
  host: v.optional(text),
  port: v.optional(whole(0, 65_535)),
  publicUrl: v.optional(webUrl),
  tls: v.optional(v.strictObject({ cert: v.optional(text), key: v.optional(text) })),
  trustProxy: v.optional(
    v.union([v.boolean(), whole(0, 10)], 'must be true, false or the number of proxies in front'),
  ),
})

const securityKeys = v.strictObject({
  oidc: v.optional(oidc),
  allowedOrigins: v.optional(v.array(origin)),
  tokenTtlSeconds: v.optional(whole(60, 31_536_000)),
  introspection: v.optional(v.boolean()),
})

const importKeys = v.strictObject({
  allowHttp: v.optional(v.boolean()),
  allowPrivate: v.optional(v.boolean()),
  allowedHosts: v.optional(v.array(hostName)),
})

const tags = v.pipe(
  text,
  v.check(
    (value) => tagRangeFromText(value) !== null,
    'must be VLAN tags such as 100-3999, from 1 to 4094',
  ),
)
const tagPool = v.union(
  [tags, v.pipe(v.array(tags), v.minLength(1, 'must name at least one range'))],
  'must be VLAN tags such as 100-3999, or a list of them',
)

/*
 * How private networks are made: `bridge-vlan` tags frames on a bridge that every node has,
 * `ovn-layer2` makes a switch in OVN-Kubernetes, `kube-ovn` a subnet in Kube-OVN; `auto` takes what
 * the cluster has. An address that was given back is given to nobody for `addressRestSeconds`. No
 * VPC gets addresses that are reserved here for the cluster's own.
 */
const networkKeys = v.strictObject({
  driver: v.optional(v.picklist(['auto', 'bridge-vlan', 'ovn-layer2', 'kube-ovn'])),
  bridge: v.optional(
    v.strictObject({ name: v.optional(interfaceName), vlans: v.optional(tagPool) }),
  ),
  mtu: v.optional(whole(576, 65_535)),
  addressRestSeconds: v.optional(whole(0, 86_400)),
  reserved: v.optional(
    v.strictObject({
      pods: v.optional(v.array(cidr)),
      services: v.optional(v.array(cidr)),
      nodes: v.optional(v.array(cidr)),
    }),
  ),
})

const limit = v.optional(whole(0, 2_147_483_647))
const tenantKeys = v.strictObject({
  quota: v.optional(
    v.strictObject({
      vms: limit,
      vcpus: limit,
      memoryMi: limit,
      storageGi: limit,
      volumes: limit,
      snapshots: limit,
      vpcs: limit,
      networks: limit,
      publicAddresses: limit,
    }),
  ),
})

export const fileSchema = v.strictObject({
  platform: v.optional(
    v.strictObject({
      networking: v.optional(v.strictObject({ public: v.optional(publicNetwork) })),
      storage: v.optional(
        v.strictObject({
          defaultClass: v.optional(objectName),
          snapshotClass: v.optional(objectName),
        }),
      ),
      windows: v.optional(v.strictObject({ driversImage: v.optional(driversImage) })),
    }),
  ),
  database: v.optional(v.strictObject({ url: v.optional(databaseUrl) })),
  cluster: v.optional(
    v.strictObject({
      kind: v.optional(v.picklist(['sandbox', 'kubeconfig', 'inCluster'])),
      kubeconfig: v.optional(text),
      context: v.optional(text),
      callsPerSecond: v.optional(whole(1, 10_000)),
      with: v.optional(
        v.array(v.picklist(['kube-ovn', 'multi-network-policy', 'nmstate', 'ovn-kubernetes'])),
      ),
    }),
  ),
  server: v.optional(serverKeys),
  /*
   * Where tenants may import images from. The sandbox of one machine allows http and private
   * addresses; with a real cluster both are off, because an importer inside it would reach what its
   * tenants must not. An empty list of hosts allows every public one.
   */
  import: v.optional(importKeys),
  network: v.optional(networkKeys),
  tenants: v.optional(tenantKeys),
  log: v.optional(
    v.strictObject({
      level: v.optional(v.picklist(logLevels)),
      format: v.optional(v.picklist(['auto', 'json'])),
    }),
  ),
  security: v.optional(securityKeys),
  compat: v.optional(v.strictObject({ socketTokenInUrl: v.optional(v.boolean()) })),
  data: v.optional(v.strictObject({ dir: v.optional(text) })),
  api: v.optional(
    v.strictObject({
      pageCap: v.optional(whole(1, 100_000)),
      rateLimit: v.optional(
        v.strictObject({
          requests: v.optional(whole(0, 10_000_000)),
          seconds: v.optional(whole(1, 3_600)),
        }),
      ),
    }),
  ),
})

export type ConfigFile = v.InferOutput<typeof fileSchema>

/** One tag, or the first and the last of a range. */
export function tagRangeFromText(value: string): { first: number; last: number } | null {
  const [, first = '', last = first] = /^(\d{1,4})(?:\s*-\s*(\d{1,4}))?$/.exec(value) ?? []
  const range = { first: Number(first), last: Number(last) }
  return range.first >= 1 && range.first <= range.last && range.last <= 4094 ? range : null
}

export function isDatabaseUrl(value: string): boolean {
  return /^postgres(ql)?:\/\//.test(value) && URL.canParse(value)
}

function isWebUrl(value: string): boolean {
  if (!URL.canParse(value)) return false
  const url = new URL(value)
  return (
    ['http:', 'https:'].includes(url.protocol) &&
    !url.username &&
    !url.password &&
    !url.search &&
    !url.hash
  )
}

const originOf = (value: string): string | null => (isWebUrl(value) ? new URL(value).origin : null)
