import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Environment } from './environment.ts'
import { configWarnings, effectiveConfig } from './print.ts'
import { type Config, ConfigError, loadConfig } from './config.ts'
import { signingSecret } from './signing-secret.ts'
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
const at = 'berth.yaml: platform.networking.public'

test('without a file and environment, everything has a default', () => {
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
    database: { url: null },
    cluster: { kind: 'sandbox', kubeconfig: null, context: null, callsPerSecond: 1_000, with: [] },
    server: {
      host: '127.0.0.1',
      port: 8080,
      publicUrl: 'http://localhost:8080',
      tls: null,
      trustProxy: 0,
    },
    log: { level: 'info', format: 'auto' },
    security: {
      oidc: null,
      allowedOrigins: [],
      tokenTtlSeconds: 86_400,
      introspection: true,
      secret: null,
      rootPassword: null,
    },
    compat: { socketTokenInUrl: false },
    import: { allowHttp: true, allowPrivate: true, allowedHosts: [] },
    network: {
      driver: 'auto',
      bridge: { name: 'br-berth', vlans: [{ first: 100, last: 3999 }] },
      mtu: null,
      addressRestSeconds: 300,
      reserved: { pods: ['10.244.0.0/16'], services: [], nodes: [] },
    },
    tenants: { quota: unlimited },
    data: { dir: join(cwd, '.berth') },
    api: { pageCap: 200, rateLimit: { requests: 6_000, seconds: 60 } },
  })
  expect(configWarnings(load(null))).toEqual([])
})

test('limits that hold for every tenant are read, and what is not named is not limited', () => {
  expect(load('tenants: { quota: { vms: 20 } }').tenants.quota).toEqual({ ...unlimited, vms: 20 })
  expect(messageOf('tenants: { quota: { vms: -1 } }')).toContain(
    'tenants.quota.vms must be a whole number',
  )
})

test('VLAN tags are one range or several, and the ranges of a cluster of others are for its operator to say', () => {
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

test('an empty image of Windows drivers is none', () => {
  expect(load('platform: { windows: { driversImage: "" } }').platform.windows).toEqual({
    driversImage: null,
  })
  expect(messageOf('platform: { windows: { driversImage: "a b" } }')).toContain(
    'platform.windows.driversImage must be the reference',
  )
})

test('images are imported from one’s own network on a sandbox only, unless the operator says otherwise', () => {
  expect(load('cluster: { kind: inCluster }').import).toEqual({
    allowHttp: false,
    allowPrivate: false,
    allowedHosts: [],
  })
  const own =
    'cluster: { kind: inCluster }\nimport: { allowHttp: true, allowedHosts: [.example.com, mirror.example.org] }'
  expect(load(own).import).toEqual({
    allowHttp: true,
    allowPrivate: false,
    allowedHosts: ['.example.com', 'mirror.example.org'],
  })
  expect(messageOf('import: { allowedHosts: ["https://a.example.com"] }')).toContain(
    'import.allowedHosts.0 must be a host name',
  )
})

test('an empty file is like none', () => {
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

describe('a wrong key is named with its file, its path and what to do', () => {
  const cases: { because: string; yaml: string; says: string }[] = [
    {
      because: 'misspelt',
      yaml: 'server: { prot: 1 }',
      says: 'berth.yaml: server.prot is not a known key; did you mean port?',
    },
    {
      because: 'misspelt in depth',
      yaml: publicKeys('bridge: { nmae: x }'),
      says: `${at}.bridge.nmae is not a known key; did you mean name?`,
    },
    {
      because: 'other case',
      yaml: publicKeys('ippool: 1.2.3.4'),
      says: `${at}.ippool is not a known key; did you mean ipPool?`,
    },
    {
      because: 'unknown',
      yaml: 'data: { wonderful: 1 }',
      says: 'berth.yaml: data.wonderful is not a known key; known here: dir.',
    },
    {
      because: 'a secret in the file',
      yaml: 'security: { oidc: { issuer: "https://i.example", clientId: a, clientSecret: b } }',
      says: 'berth.yaml: security.oidc.clientSecret is a secret and has no place in a file; set the environment variable BERTH_OIDC_CLIENT_SECRET.',
    },
    {
      because: 'type',
      yaml: 'server: { host: 5 }',
      says: 'berth.yaml: server.host must be text, not 5.',
    },
    {
      because: 'group as text',
      yaml: 'server: hello',
      says: 'berth.yaml: server must be a group of keys, not "hello".',
    },
    {
      because: 'list at the top',
      yaml: '- a',
      says: 'berth.yaml: must hold keys and values, not a list.',
    },
    {
      because: 'text at the top',
      yaml: 'hello',
      says: 'berth.yaml: must hold keys and values, not a bare text.',
    },
    {
      because: 'list for a group',
      yaml: 'server: [a]',
      says: 'berth.yaml: server must hold keys and values, not a list.',
    },
    {
      because: 'range',
      yaml: 'server: { port: 70000 }',
      says: 'berth.yaml: server.port must be a whole number from 0 to 65535.',
    },
    {
      because: 'choice',
      yaml: 'cluster: { kind: docker }',
      says: 'berth.yaml: cluster.kind must be one of sandbox, kubeconfig, inCluster, not "docker".',
    },
    {
      because: 'missing in a group',
      yaml: 'security: { oidc: { issuer: "https://i.example" } }',
      says: 'berth.yaml: security.oidc.clientId is missing.',
    },
    {
      because: 'not YAML',
      yaml: 'server:\n  port: 1\n port: 2',
      says: 'berth.yaml: line 3 is not YAML:',
    },
    {
      because: 'the same key twice',
      yaml: 'server: { port: 1 }\nserver: { port: 2 }',
      says: 'berth.yaml: line 2 is not YAML: Map keys must be unique.',
    },
    {
      because: 'not canonical',
      yaml: publicKeys('cidr: 203.0.113.7/24'),
      says: `${at}.cidr must begin at the network's first address: 203.0.113.0/24.`,
    },
    {
      because: 'no network',
      yaml: publicKeys('cidr: 203.0.113.0/33'),
      says: `${at}.cidr must be an IPv4 network such as 203.0.113.0/24.`,
    },
    {
      because: 'no address',
      yaml: publicKeys('dns: [1.1.1.300]'),
      says: `${at}.dns.0 must be an IPv4 address.`,
    },
    {
      because: 'not a database',
      yaml: 'database: { url: mysql://x }',
      says: 'berth.yaml: database.url must be a postgresql:// URL.',
    },
    {
      because: 'no origin',
      yaml: 'security: { allowedOrigins: ["https://a.example/x"] }',
      says: 'berth.yaml: security.allowedOrigins.0 must be an origin such as https://cloud.example.com.',
    },
    {
      because: 'enabled alone: cidr',
      yaml: publicKeys('enabled: true'),
      says: `${at}.cidr is missing; the public network is enabled and needs it.`,
    },
    {
      because: 'enabled alone: pool',
      yaml: publicKeys(publicNetwork),
      says: `${at}.ipPool is missing;`,
    },
    {
      because: 'no bridge',
      yaml: publicKeys('enabled: true, cidr: 203.0.113.0/24, ipPool: 203.0.113.9'),
      says: `${at}.bridge.name is missing;`,
    },
    {
      because: 'outside',
      yaml: publicKeys(`${publicNetwork}, ipPool: 203.0.113.10-203.0.114.1`),
      says: `${at}.ipPool holds 203.0.113.10-203.0.114.1, which is not inside 203.0.113.0/24.`,
    },
    {
      because: 'backwards',
      yaml: publicKeys('ipPool: 203.0.113.20-203.0.113.10'),
      says: `${at}.ipPool holds 203.0.113.20-203.0.113.10, which ends before it begins.`,
    },
    {
      because: 'broadcast',
      yaml: publicKeys(`${publicNetwork}, ipPool: 203.0.113.10-203.0.113.255`),
      says: `${at}.ipPool holds the network or the broadcast address of 203.0.113.0/24.`,
    },
    {
      because: 'gateway',
      yaml: publicKeys(`${publicNetwork}, ipPool: 203.0.113.1-203.0.113.9`),
      says: `${at}.ipPool holds 203.0.113.1, which is the gateway of 203.0.113.0/24.`,
    },
    {
      because: 'overlap',
      yaml: publicKeys('ipPool: [203.0.113.1-203.0.113.9, 203.0.113.9]'),
      says: `${at}.ipPool names 203.0.113.9 twice.`,
    },
    {
      because: 'half of TLS',
      yaml: 'server: { tls: { cert: a.pem } }',
      says: 'berth.yaml: server.tls.key is missing; server.tls.cert alone is not enough.',
    },
    {
      because: 'wrong kind',
      yaml: 'cluster: { context: prod }',
      says: 'berth.yaml: cluster.context needs cluster.kind: kubeconfig, but it is sandbox.',
    },
    {
      because: 'open issuer',
      yaml: 'security: { oidc: { issuer: "http://i.example", clientId: a } }',
      says: 'berth.yaml: security.oidc.issuer must be an https:// URL;',
    },
  ]
  test.for(cases)('$because', ({ yaml, says }) => {
    expect(messageOf(yaml)).toContain(says)
  })
})

test('all wrong keys are told at once', () => {
  expect(messageOf('server: { port: a }\nlog: { level: loud }').split('\n')).toHaveLength(2)
})

test('a file that BERTH_CONFIG names must exist; paths in it start at its folder', () => {
  expect(messageOf(null, { BERTH_CONFIG: 'other.yaml' })).toBe(
    'other.yaml does not exist, but BERTH_CONFIG names it.',
  )
  writeFileSync(join(cwd, 'other.yaml'), 'server: { tls: { cert: tls/a.pem, key: /etc/a.key } }')
  const config = loadConfig({ cwd: '/', env: { BERTH_CONFIG: join(cwd, 'other.yaml') } })
  expect(config.server.tls).toEqual({ cert: join(cwd, 'tls/a.pem'), key: '/etc/a.key' })
  expect(config.server.publicUrl).toBe('https://localhost:8080')
  expect(config.data.dir).toBe('/.berth')
})

test('the environment wins over the file, and BERTH_PORT over PORT', () => {
  const config = load('server: { port: 1 }\ndatabase: { url: "postgresql://file/x" }', {
    PORT: '2',
    BERTH_DATABASE_URL: 'postgresql://env/x',
  })
  expect(config.server.port).toBe(2)
  expect(config.database.url?.reveal()).toBe('postgresql://env/x')
  expect(load(null, { PORT: '2', BERTH_PORT: '3' }).server.port).toBe(3)
})

test.for([
  [{ PORT: 'http' }, 'environment: PORT must be a port number from 0 to 65535.'],
  [{ BERTH_SECRET: 'short-secret' }, 'environment: BERTH_SECRET must have at least 32 characters.'],
  [
    { BERTH_DATABASE_URL: 'hunter2' },
    'environment: BERTH_DATABASE_URL must be a postgresql:// URL.',
  ],
  [
    { BERTH_ROOT_PASSWORD: 'root' },
    'environment: BERTH_ROOT_PASSWORD must have at least 12 characters.',
  ],
] as const)('a wrong variable is named without its value: %j', ([env, says]) => {
  expect(messageOf(null, env)).toBe(says)
})

test.for([
  [
    'mode: macvlan is accepted and said to change nothing',
    publicKeys('mode: macvlan'),
    /mode: macvlan changes nothing/,
  ],
  [
    'open to others without TLS',
    'server: { host: 0.0.0.0 }',
    /server\.host: 0\.0\.0\.0 .* without TLS/,
  ],
  [
    'external database without a shared secret',
    'database: { url: "postgresql://x/y" }',
    /BERTH_SECRET is not set/,
  ],
] as const)('warning: %s', ([, yaml, says]) => {
  expect(configWarnings(load(yaml))).toEqual([expect.stringMatching(says)])
})

test('introspection is on for the sandbox and off elsewhere, unless said otherwise', () => {
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

test('a signing secret is made once, for its owner only', () => {
  const first = signingSecret(null, join(cwd, 'data'))
  expect(first.reveal().length).toBeGreaterThanOrEqual(32)
  expect(signingSecret(null, join(cwd, 'data')).reveal()).toBe(first.reveal())
  expect(statSync(join(cwd, 'data', 'secret')).mode & 0o777).toBe(0o600)
})
