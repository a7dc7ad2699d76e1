import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Environment } from './environment.ts'
import { configWarnings, effectiveConfig } from './print.ts'
import { type Config, ConfigError, loadConfig } from './config.ts'
import { unlimited } from '../../../../test/support/world/quotas.ts'

let cwd = ''
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'berth-config-'))
})
afterEach(() => rmSync(cwd, { recursive: true }))

function load(yaml: string | null, env: Environment = {}): Config {
  if (yaml !== null) writeFileSync(join(cwd, 'berth.yaml'), yaml)
  return loadConfig({ cwd, env })
}

function messageOf(yaml: string | null, env: Environment = {}): string {
  try {
    load(yaml, env)
  } catch (error) {
    if (error instanceof ConfigError) return error.message.replaceAll(`${cwd}/`, '')
    throw error
  }
  return 'accepted'
}

const publicKeys = (keys: string) => `platform: { networking: { public: { ${keys} } } }`
const publicNetwork = 'enabled: true, bridge: { name: br-pub }, cidr: 203.0.113.0/24'

test('every key has a default without a file and environment', () => {
  expect(load(null)).toEqual({
    file: null,
    platform: {
      networking: {
        public: {
          enabled: false,
          bridge: { name: null },
          mode: 'bridge',
          uplink: null,
          cidr: null,
          ipPool: [],
          dns: [],
        },
      },
      storage: { defaultClass: null, snapshotClass: null },
      windows: { driversImage: 'quay.io/kubevirt/virtio-container-disk:v1.9.0' },
    },
    database: {
      url: null,
      driver: 'fast',
      pool: { size: 12, reservedForReads: 4, writesPerTenant: 3, background: 12 },
    },
    cluster: { kind: 'sandbox', kubeconfig: null, context: null, callsPerSecond: 1_000, with: [] },
    server: {
      host: '127.0.0.1',
      port: 8080,
      publicUrl: 'http://localhost:8080',
      tls: null,
      trustProxy: 0,
      workerPort: 8081,
      drainSeconds: 0,
    },
    log: { level: 'info', format: 'auto' },
    security: {
      oidc: null,
      allowedOrigins: [],
      apiKeyMaxDays: null,
      secondFactor: 'optional',
      tokenTtlSeconds: 86_400,
      introspection: true,
      publicIntrospection: false,
      secret: null,
      rootPassword: null,
      metricsToken: null,
    },
    compat: { socketTokenInUrl: false, virtfoundry: false },
    import: {
      allowHttp: true,
      allowPrivate: true,
      allowedHosts: [],
      allowedRegistries: [],
      imagePullPolicy: 'Always',
    },
    network: {
      driver: 'auto',
      bridge: { name: 'br-berth', vlans: [{ first: 100, last: 3999 }] },
      mtu: null,
      addressRestSeconds: 300,
      closed: [],
      dns: { namespace: 'kube-system', addresses: ['169.254.20.10'] },
      reserved: { pods: ['10.244.0.0/16'], services: [], nodes: [] },
    },
    tenants: { quota: unlimited },
    operations: { deadlineFactor: 1 },
    retention: { operationDays: 90, auditDays: 365, deletedDays: 30, vmEventDays: 90 },
    data: { dir: join(cwd, '.berth') },
    api: { pageCap: 200, rateLimit: { requests: 6_000, seconds: 60 } },
  })
  expect(configWarnings(load(null))).toEqual([])
})

test('limits of every tenant are read, and a missing limit means unlimited', () => {
  expect(load('tenants: { quota: { vms: 20 } }').tenants.quota).toEqual({ ...unlimited, vms: 20 })
  expect(messageOf('tenants: { quota: { vms: -1 } }')).toContain(
    'tenants.quota.vms must be a whole number',
  )
})

test('VLAN tags are one range or several, and an external cluster has no default reserved ranges', () => {
  expect(load('network: { bridge: { vlans: "7" } }').network.bridge.vlans).toEqual([
    { first: 7, last: 7 },
  ])
  const several =
    'cluster: { kind: inCluster }\nnetwork: { driver: ovn-layer2, mtu: 8900, bridge: { vlans: [2-5, 4000 - 4094] } }'
  expect(load(several).network).toMatchObject({
    driver: 'ovn-layer2',
    mtu: 8900,
    bridge: {
      vlans: [
        { first: 2, last: 5 },
        { first: 4000, last: 4094 },
      ],
    },
    reserved: { pods: [], services: [], nodes: [] },
  })
  for (const wrong of ['0-5', '9-8', '1-4095', 'all', '[]', '[1-2, x]'])
    expect([wrong, messageOf(`network: { bridge: { vlans: ${wrong} } }`)]).toEqual([
      wrong,
      expect.stringContaining('network.bridge.vlans'),
    ])
  expect(messageOf('network: { reserved: { pods: [10.0.0.1/16] } }')).toContain(
    'network.reserved.pods.0 must begin at',
  )
})

test('an empty image of Windows drivers means no drivers', () => {
  expect(load('platform: { windows: { driversImage: "" } }').platform.windows).toEqual({
    driversImage: null,
  })
  expect(messageOf('platform: { windows: { driversImage: "a b" } }')).toContain(
    'platform.windows.driversImage must be the reference',
  )
})

test('registries are named without a scheme, down to a repository', () => {
  const names = ['quay.io', 'quay.io/containerdisks', 'registry.example.com:5000/a/b_c']
  expect(load(`import: { allowedRegistries: [${names.join()}] }`).import.allowedRegistries).toEqual(
    names,
  )
  for (const wrong of ['https://quay.io', 'quay.io/', 'Quay.io', 'quay.io/a:tag'])
    expect(messageOf(`import: { allowedRegistries: ["${wrong}"] }`)).toContain(
      'import.allowedRegistries.0 must be a registry',
    )
})

test('images are imported from private addresses only on a sandbox, unless the operator allows it', () => {
  expect(load('cluster: { kind: inCluster }').import).toEqual({
    allowHttp: false,
    allowPrivate: false,
    allowedHosts: [],
    allowedRegistries: [],
    imagePullPolicy: 'Always',
  })
  const own =
    'cluster: { kind: inCluster }\nimport: { allowHttp: true, allowedHosts: [.example.com, mirror.example.org] }'
  expect(load(own).import).toEqual({
    allowHttp: true,
    allowPrivate: false,
    allowedHosts: ['.example.com', 'mirror.example.org'],
    allowedRegistries: [],
    imagePullPolicy: 'Always',
  })
  expect(messageOf('import: { allowedHosts: ["https://a.example.com"] }')).toContain(
    'import.allowedHosts.0 must be a host name',
  )
})

test('an empty file has the same effect as no file', () => {
  expect(load('# nothing yet\n').server.port).toBe(8080)
})

test('the keys of the specification are read', () => {
  const config = load(`
platform:
  networking:
    public: { ${publicNetwork}, mode: bridge, uplink: eth1, ipPool: [203.0.113.10-203.0.113.19, 203.0.113.30], dns: [1.1.1.1] }
  storage: { defaultClass: fast, snapshotClass: fast-snap }
  windows: { driversImage: registry.example/drivers:2 }
`)
  expect(config.platform).toEqual({
    networking: {
      public: {
        enabled: true,
        bridge: { name: 'br-pub' },
        mode: 'bridge',
        uplink: 'eth1',
        cidr: '203.0.113.0/24',
        ipPool: [
          { first: '203.0.113.10', last: '203.0.113.19' },
          { first: '203.0.113.30', last: '203.0.113.30' },
        ],
        dns: ['1.1.1.1'],
      },
    },
    storage: { defaultClass: 'fast', snapshotClass: 'fast-snap' },
    windows: { driversImage: 'registry.example/drivers:2' },
  })
})

test.each([
  { of: 'without a cidr', cidr: '', pool: '203.0.113.10-203.0.113.19', is: '203.0.113.0/24' },
  { of: 'with an empty cidr', cidr: "cidr: '',", pool: '203.0.113.10', is: '203.0.113.0/24' },
  { of: 'of a wide pool', cidr: '', pool: '203.0.112.10-203.0.113.19', is: '203.0.112.0/23' },
])('the public network $of is the smallest one that holds its pool', ({ cidr, pool, is }) => {
  const keys = `enabled: true, bridge: { name: br-pub }, uplink: '', ${cidr} ipPool: ${pool}`
  const config = load(`platform: { networking: { public: { ${keys} } } }`)
  expect(config.platform.networking.public).toMatchObject({ cidr: is, uplink: null })
})

test('a file that BERTH_CONFIG names must exist, and its relative paths begin at its folder', () => {
  expect(messageOf(null, { BERTH_CONFIG: 'other.yaml' })).toBe(
    'other.yaml does not exist, but BERTH_CONFIG names it.',
  )
  writeFileSync(join(cwd, 'other.yaml'), 'server: { tls: { cert: tls/a.pem, key: /etc/a.key } }')
  const config = loadConfig({ cwd: '/', env: { BERTH_CONFIG: join(cwd, 'other.yaml') } })
  expect(config.server.tls).toEqual({ cert: join(cwd, 'tls/a.pem'), key: '/etc/a.key' })
  expect(config.server.publicUrl).toBe('https://localhost:8080')
  expect(config.data.dir).toBe('/.berth')
})

test('the environment overrides the file, and BERTH_PORT overrides PORT', () => {
  const config = load('server: { port: 1 }\ndatabase: { url: "postgresql://file/x" }', {
    PORT: '2',
    BERTH_DATABASE_URL: 'postgresql://env/x',
  })
  expect(config.server.port).toBe(2)
  expect(config.database.url?.reveal()).toBe('postgresql://env/x')
  expect(load(null, { PORT: '2', BERTH_PORT: '3' }).server.port).toBe(3)
})

test.for([
  ['mode: macvlan has no effect', publicKeys('mode: macvlan'), /mode: macvlan changes nothing/],
  [
    'other hosts can connect without TLS',
    'server: { host: 0.0.0.0 }\nimport: { allowHttp: false, allowPrivate: false }',
    /server\.host: 0\.0\.0\.0 .* without TLS/,
  ],
  [
    'an external database has no shared secret',
    'database: { url: "postgresql://x/y" }',
    /BERTH_SECRET is not set/,
  ],
] as const)('configWarnings warns: %s', ([, yaml, pattern]) => {
  expect(configWarnings(load(yaml))).toEqual([expect.stringMatching(pattern)])
})

test('introspection is on for the sandbox and off elsewhere by default', () => {
  expect(load('cluster: { kind: inCluster }').security.introspection).toBe(false)
  expect(
    load('cluster: { kind: inCluster }\nsecurity: { introspection: true }').security.introspection,
  ).toBe(true)
})

test('the effective configuration shows everything but the secrets', () => {
  const env = {
    BERTH_SECRET: 's'.repeat(40),
    BERTH_ROOT_PASSWORD: 'hunter2hunter2',
    BERTH_DATABASE_URL: 'postgresql://u:hunter2@h/d',
  }
  const printed = effectiveConfig(
    load(publicKeys(`${publicNetwork}, ipPool: 203.0.113.10-203.0.113.19`), env),
  )
  expect(printed).toContain('- 203.0.113.10-203.0.113.19')
  expect(printed).toContain('rootPassword: "[redacted]"')
  expect(printed).not.toMatch(/hunter2|sss/)
})

test('an uplink without NMState warns that the operator makes the bridge', () => {
  const uplink = `${publicNetwork}, uplink: eth1, ipPool: 203.0.113.10, dns: [1.1.1.1]`
  expect(configWarnings(load(publicKeys(uplink)))).toEqual([
    'platform.networking.public.uplink: where the cluster has no NMState, make the bridge br-pub on every node yourself, with eth1 in it',
  ])
})

test('a key with the value null is not set', () => {
  expect(load('network: { mtu: null }').network.mtu).toBeNull()
})

test.each([
  ['server: { host: 0.0.0.0 }'],
  ['server: { publicUrl: "https://cloud.example.com" }'],
  ['server: { host: "192.168.1.5" }\nimport: { allowHttp: false }'],
])('the sandbox refuses to import from private addresses for other machines: %s', (yaml) => {
  expect(() => load(yaml)).toThrow('import.allowPrivate must be set to false')
  expect(() => load(`${yaml}\ncluster: { kind: inCluster }`)).not.toThrow()
})

test.each(['server: { host: "::1" }', 'server: { publicUrl: "http://127.0.0.1:8080" }'])(
  'the sandbox imports from private addresses for this machine: %s',
  (yaml) => {
    expect(load(yaml).import).toMatchObject({ allowHttp: true, allowPrivate: true })
  },
)
