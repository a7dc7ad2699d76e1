import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { errnoOf } from '../errno.ts'
import * as v from 'valibot'
import { LineCounter, parseDocument } from 'yaml'
import { environmentProblems, type Environment } from './environment.ts'
import { problemFromIssue } from './problems.ts'
import { type AddressRange, problemsBetweenKeys, rangesFromPool } from './rules.ts'
import { type ConfigFile, fileSchema, tagRangeFromText } from './schema.ts'
import type { LogLevel } from '../log.ts'
import { Secret } from './secret.ts'

export interface Config {
  /** The file that was read; null when there is none and everything is default. */
  file: string | null
  platform: {
    networking: { public: PublicNetworkConfig }
    storage: { defaultClass: string | null; snapshotClass: string | null }
    windows: { driversImage: string | null }
  }
  /** Without a URL, the embedded PostgreSQL is used. */
  database: { url: Secret | null }
  cluster: {
    kind: 'sandbox' | 'kubeconfig' | 'inCluster'
    kubeconfig: string | null
    context: string | null
    callsPerSecond: number
    /** What is installed in a sandbox beside what every one has. */
    with: string[]
  }
  server: {
    host: string
    port: number
    publicUrl: string
    tls: { cert: string; key: string } | null
    trustProxy: number
  }
  log: { level: LogLevel; format: 'auto' | 'json' }
  security: {
    oidc: OidcConfig | null
    allowedOrigins: string[]
    tokenTtlSeconds: number
    introspection: boolean
    /** Null: one is made on the first start and kept in the data folder (signing-secret.ts). */
    secret: Secret | null
    rootPassword: Secret | null
  }
  compat: { socketTokenInUrl: boolean }
  /** What tenants may import images from. */
  import: { allowHttp: boolean; allowPrivate: boolean; allowedHosts: string[] }
  /** How private networks are made, and which addresses are not theirs. */
  network: {
    driver: 'auto' | 'bridge-vlan' | 'ovn-layer2' | 'kube-ovn'
    bridge: { name: string; vlans: { first: number; last: number }[] }
    /** Null is what the driver usually carries. */
    mtu: number | null
    /** How long an address of a VM that is gone is given to no other. */
    addressRestSeconds: number
    reserved: Record<'pods' | 'services' | 'nodes', string[]>
  }
  /** What a tenant may have that root has set no limits for; null is no limit. */
  tenants: { quota: Record<keyof typeof unlimited, number | null> }
  data: { dir: string }
  api: {
    pageCap: number
    /** Null is no limit. */ rateLimit: { requests: number; seconds: number } | null
  }
}

/** Where an operator names none. */
export const usualPublicBridge = 'br-public'

export interface PublicNetworkConfig {
  enabled: boolean
  bridge: { name: string | null }
  mode: 'bridge' | 'macvlan'
  uplink: string | null
  cidr: string | null
  ipPool: AddressRange[]
  dns: string[]
}

export interface OidcConfig {
  issuer: string
  clientId: string
  clientSecret: Secret | null
  scopes: string[]
  displayName: string
  usernameClaim: string
  tenantClaim: string | null
  roleClaim: string | null
}

/**
 * The configuration cannot be used. Each line of the message is one sentence that names the file
 * and the key.
 */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

export function loadConfig({ cwd, env }: { cwd: string; env: Environment }): Config {
  const named = env['BERTH_CONFIG']
  const path = resolve(cwd, named || 'berth.yaml')
  const text = readText(path, Boolean(named))
  const keys = text === null ? {} : parseFile(path, text)
  refuse('environment', environmentProblems(env))
  const base = text === null ? cwd : dirname(path)
  return { ...configFrom(keys, env, { cwd, base }), file: text === null ? null : path }
}

function readText(path: string, mustExist: boolean): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const code = errnoOf(error)
    if (code === 'ENOENT' && !mustExist) return null
    throw new ConfigError(
      code === 'ENOENT'
        ? `${path} does not exist, but BERTH_CONFIG names it.`
        : `${path} cannot be read (${code}).`,
      {
        cause: error,
      },
    )
  }
}

function parseFile(path: string, text: string): ConfigFile {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  refuse(
    path,
    document.errors.map(
      (error) => `line ${lines.linePos(error.pos[0]).line} is not YAML: ${error.message}`,
    ),
  )
  const result = v.safeParse(fileSchema, document.toJS() ?? {})
  if (!result.success) refuse(path, result.issues.map(problemFromIssue))
  // `refuse` has thrown if there was an issue, so the output is the validated one.
  const keys = result.output as ConfigFile
  refuse(path, problemsBetweenKeys(keys))
  return keys
}

function refuse(where: string, problems: readonly string[]): void {
  if (problems.length > 0)
    throw new ConfigError(
      problems
        .map(
          (problem) =>
            `${where}: ${problem.replace(/\?$|\.$/, '')}${problem.endsWith('?') ? '?' : '.'}`,
        )
        .join('\n'),
    )
}

interface Folders {
  cwd: string
  base: string
}

/** A cluster of others has other clients too; the sandbox has nobody else to serve. */
function clusterFrom(
  { cluster = {} }: ConfigFile,
  inFile: (path: string | undefined) => string | null,
): Config['cluster'] {
  const {
    kind = 'sandbox',
    kubeconfig,
    context = null,
    callsPerSecond = kind === 'sandbox' ? 1_000 : 20,
    with: components = [],
  } = cluster
  return { kind, kubeconfig: inFile(kubeconfig), context, callsPerSecond, with: components }
}

function configFrom(keys: ConfigFile, env: Environment, folders: Folders): Omit<Config, 'file'> {
  const kind = keys.cluster?.kind ?? 'sandbox'
  const inFile = (path: string | undefined) => (path ? resolve(folders.base, path) : null)
  const databaseUrl = env['BERTH_DATABASE_URL'] || keys.database?.url
  const storage = keys.platform?.storage
  return {
    platform: {
      networking: { public: publicFrom(keys.platform?.networking?.public ?? {}) },
      storage: {
        defaultClass: storage?.defaultClass ?? null,
        snapshotClass: storage?.snapshotClass ?? null,
      },
      windows: windowsFrom(keys.platform ?? {}),
    },
    database: { url: secretOf(databaseUrl) },
    cluster: clusterFrom(keys, inFile),
    server: serverFrom(keys, env, inFile),
    log: { level: keys.log?.level ?? 'info', format: keys.log?.format ?? 'auto' },
    security: securityFrom(keys, env),
    compat: { socketTokenInUrl: keys.compat?.socketTokenInUrl ?? false },
    import: importFrom(keys.import ?? {}, kind === 'sandbox'),
    network: networkFrom(keys.network ?? {}, kind === 'sandbox'),
    tenants: { quota: { ...unlimited, ...keys.tenants?.quota } },
    data: {
      dir: env['BERTH_DATA_DIR']
        ? resolve(folders.cwd, env['BERTH_DATA_DIR'])
        : (inFile(keys.data?.dir) ?? resolve(folders.cwd, '.berth')),
    },
    api: { pageCap: keys.api?.pageCap ?? 200, rateLimit: rateLimitFrom(keys.api?.rateLimit ?? {}) },
  }
}

/** More than people and their programs need, and less than keeps a machine busy. */
const rateLimitFrom = ({
  requests = 6_000,
  seconds = 60,
}: {
  requests?: number
  seconds?: number
}): Config['api']['rateLimit'] => (requests === 0 ? null : { requests, seconds })

const unlimited = {
  vms: null,
  vcpus: null,
  memoryMi: null,
  storageGi: null,
  volumes: null,
  snapshots: null,
  vpcs: null,
  networks: null,
  publicAddresses: null,
}

/** The drivers that the KubeVirt project builds; the image holds an ISO. */
const usualDrivers = 'quay.io/kubevirt/virtio-container-disk:v1.9.0'

const windowsFrom = ({
  windows,
}: NonNullable<ConfigFile['platform']>): Config['platform']['windows'] => ({
  driversImage: (windows?.driversImage ?? usualDrivers) || null,
})

function publicFrom(
  keys: NonNullable<NonNullable<NonNullable<ConfigFile['platform']>['networking']>['public']>,
): PublicNetworkConfig {
  return {
    enabled: keys.enabled ?? false,
    bridge: { name: keys.bridge?.name ?? null },
    mode: keys.mode ?? 'bridge',
    uplink: keys.uplink ?? null,
    cidr: keys.cidr ?? null,
    ipPool: rangesFromPool(keys.ipPool),
    dns: keys.dns ?? [],
  }
}

/**
 * On one's own machine images lie on that very machine; a cluster of others must not be asked about
 * its own network.
 */
function importFrom(keys: NonNullable<ConfigFile['import']>, isSandbox: boolean): Config['import'] {
  return {
    allowHttp: keys.allowHttp ?? isSandbox,
    allowPrivate: keys.allowPrivate ?? isSandbox,
    allowedHosts: keys.allowedHosts ?? [],
  }
}

/**
 * The sandbox gives its pods addresses that nobody has chosen; where those of a cluster of others
 * are is for its operator to say.
 */
function networkFrom(
  { driver, bridge, mtu, addressRestSeconds, reserved }: NonNullable<ConfigFile['network']>,
  isSandbox: boolean,
): Config['network'] {
  const vlans = [bridge?.vlans ?? '100-3999'].flat()
  return {
    driver: driver ?? 'auto',
    bridge: {
      name: bridge?.name ?? 'br-berth',
      vlans: vlans.flatMap((range) => tagRangeFromText(range) ?? []),
    },
    mtu: mtu ?? null,
    addressRestSeconds: addressRestSeconds ?? 300,
    reserved: {
      pods: reserved?.pods ?? (isSandbox ? ['10.244.0.0/16'] : []),
      services: reserved?.services ?? [],
      nodes: reserved?.nodes ?? [],
    },
  }
}

function serverFrom(
  keys: ConfigFile,
  env: Environment,
  inFile: (path: string | undefined) => string | null,
): Config['server'] {
  const { host = '127.0.0.1', publicUrl, trustProxy = 0 } = keys.server ?? {}
  const port = Number(env['BERTH_PORT'] || env['PORT'] || (keys.server?.port ?? 8080))
  const [cert, key] = [inFile(keys.server?.tls?.cert), inFile(keys.server?.tls?.key)]
  const tls = cert && key ? { cert, key } : null
  const localUrl = `${tls ? 'https' : 'http'}://localhost:${port}`
  return {
    host,
    port,
    tls,
    publicUrl: (publicUrl ?? localUrl).replace(/\/+$/, ''),
    trustProxy: Number(trustProxy),
  }
}

function securityFrom(keys: ConfigFile, env: Environment): Config['security'] {
  const { oidc, allowedOrigins = [], tokenTtlSeconds = 86_400, introspection } = keys.security ?? {}
  return {
    oidc: oidc ? oidcFrom(oidc, env) : null,
    allowedOrigins,
    tokenTtlSeconds,
    introspection: introspection ?? (keys.cluster?.kind ?? 'sandbox') === 'sandbox',
    secret: secretOf(env['BERTH_SECRET']),
    rootPassword: secretOf(env['BERTH_ROOT_PASSWORD']),
  }
}

function oidcFrom(
  keys: NonNullable<NonNullable<ConfigFile['security']>['oidc']>,
  env: Environment,
): OidcConfig {
  return {
    issuer: keys.issuer,
    clientId: keys.clientId,
    clientSecret: secretOf(env['BERTH_OIDC_CLIENT_SECRET']),
    scopes: keys.scopes ?? ['openid', 'profile', 'email'],
    displayName: keys.displayName ?? 'Single sign-on',
    usernameClaim: keys.usernameClaim ?? 'preferred_username',
    tenantClaim: keys.tenantClaim ?? null,
    roleClaim: keys.roleClaim ?? null,
  }
}

const secretOf = (text: string | undefined): Secret | null => (text ? new Secret(text) : null)
