import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ConfigError, loadConfig } from './config.ts'
import type { Environment } from './environment.ts'

let cwd = ''
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'berth-config-'))
})
afterEach(() => rmSync(cwd, { recursive: true }))

function messageOf(yaml: string | null, env: Environment = {}): string {
  try {
    if (yaml !== null) writeFileSync(join(cwd, 'berth.yaml'), yaml)
    loadConfig({ cwd, env })
  } catch (error) {
    if (error instanceof ConfigError) return error.message.replaceAll(`${cwd}/`, '')
    throw error
  }
  return 'accepted'
}

const publicKeys = (keys: string) => `platform: { networking: { public: { ${keys} } } }`
const publicNetwork = 'enabled: true, bridge: { name: br-pub }, cidr: 203.0.113.0/24'
const at = 'berth.yaml: platform.networking.public'

describe('messages about wrong keys', () => {
  const cases: { because: string; yaml: string; message: string }[] = [
    {
      because: 'a key is misspelt',
      yaml: 'server: { prot: 1 }',
      message: 'berth.yaml: server.prot is not a known key; did you mean port?',
    },
    {
      because: 'a nested key is misspelt',
      yaml: publicKeys('bridge: { nmae: x }'),
      message: `${at}.bridge.nmae is not a known key; did you mean name?`,
    },
    {
      because: 'a key has the wrong case',
      yaml: publicKeys('ippool: 1.2.3.4'),
      message: `${at}.ippool is not a known key; did you mean ipPool?`,
    },
    {
      because: 'a key is unknown',
      yaml: 'data: { wonderful: 1 }',
      message: 'berth.yaml: data.wonderful is not a known key; known here: dir.',
    },
    {
      because: 'the file has a secret',
      yaml: 'security: { oidc: { issuer: "https://i.example", clientId: a, clientSecret: b } }',
      message:
        'berth.yaml: security.oidc.clientSecret is a secret and has no place in a file; set the environment variable BERTH_OIDC_CLIENT_SECRET.',
    },
    {
      because: 'a pool is too small for its parts',
      yaml: 'database: { pool: { size: 7 } }',
      message:
        'berth.yaml: database.pool.size must be at least 8: database.pool.reservedForReads, database.pool.writesPerTenant and one more.',
    },
    {
      because: 'a value has the wrong type',
      yaml: 'server: { host: 5 }',
      message: 'berth.yaml: server.host must be text, not 5.',
    },
    {
      because: 'a group is a text',
      yaml: 'server: hello',
      message: 'berth.yaml: server must be a group of keys, not "hello".',
    },
    {
      because: 'the file is a list',
      yaml: '- a',
      message: 'berth.yaml: must hold keys and values, not a list.',
    },
    {
      because: 'the file is a text',
      yaml: 'hello',
      message: 'berth.yaml: must hold keys and values, not a bare text.',
    },
    {
      because: 'a group is a list',
      yaml: 'server: [a]',
      message: 'berth.yaml: server must hold keys and values, not a list.',
    },
    {
      because: 'a number is out of range',
      yaml: 'server: { port: 70000 }',
      message: 'berth.yaml: server.port must be a whole number from 0 to 65535.',
    },
    {
      because: 'a value is not one of the choices',
      yaml: 'cluster: { kind: docker }',
      message:
        'berth.yaml: cluster.kind must be one of sandbox, kubeconfig, inCluster, not "docker".',
    },
    {
      because: 'a group lacks a required key',
      yaml: 'security: { oidc: { issuer: "https://i.example" } }',
      message: 'berth.yaml: security.oidc.clientId is missing.',
    },
    {
      because: 'the file is not YAML',
      yaml: 'server:\n  port: 1\n port: 2',
      message: 'berth.yaml: line 3 is not YAML:',
    },
    {
      because: 'a key occurs twice',
      yaml: 'server: { port: 1 }\nserver: { port: 2 }',
      message: 'berth.yaml: line 2 is not YAML: Map keys must be unique.',
    },
    {
      because: 'a CIDR has host bits',
      yaml: publicKeys('cidr: 203.0.113.7/24'),
      message: `${at}.cidr must begin at the network's first address: 203.0.113.0/24.`,
    },
    {
      because: 'a CIDR is not valid',
      yaml: publicKeys('cidr: 203.0.113.0/33'),
      message: `${at}.cidr must be an IPv4 network such as 203.0.113.0/24.`,
    },
    {
      because: 'an address is not valid',
      yaml: publicKeys('dns: [1.1.1.300]'),
      message: `${at}.dns.0 must be an IPv4 address.`,
    },
    {
      because: 'the URL is not one of PostgreSQL',
      yaml: 'database: { url: mysql://x }',
      message: 'berth.yaml: database.url must be a postgresql:// URL.',
    },
    {
      because: 'an origin has a path',
      yaml: 'security: { allowedOrigins: ["https://a.example/x"] }',
      message:
        'berth.yaml: security.allowedOrigins.0 must be an origin such as https://cloud.example.com.',
    },
    {
      because: 'the network that holds the pool has its gateway in the pool',
      yaml: publicKeys('enabled: true, bridge: { name: br-pub }, ipPool: 203.0.113.1-203.0.113.9'),
      message: `${at}.ipPool holds 203.0.113.1, which is the gateway of 203.0.113.0/24`,
    },
    {
      because: 'no network of a usual size holds the pool of the public network',
      yaml: publicKeys(
        'enabled: true, bridge: { name: br-pub }, ipPool: [198.51.100.9, 203.0.113.9]',
      ),
      message: `${at}.cidr is missing; no network of at most 65,536 addresses holds`,
    },
    {
      because: 'an enabled public network lacks its address pool',
      yaml: publicKeys(publicNetwork),
      message: `${at}.ipPool is missing;`,
    },
    {
      because: 'an enabled public network lacks its bridge',
      yaml: publicKeys('enabled: true, cidr: 203.0.113.0/24, ipPool: 203.0.113.9'),
      message: `${at}.bridge.name is missing;`,
    },
    {
      because: 'the uplink is the bridge itself',
      yaml: publicKeys(`${publicNetwork}, uplink: br-pub, ipPool: 203.0.113.10`),
      message: `${at}.uplink must be another interface than platform.networking.public.bridge.name, which is made over it.`,
    },
    {
      because: 'the address pool is outside the CIDR',
      yaml: publicKeys(`${publicNetwork}, ipPool: 203.0.113.10-203.0.114.1`),
      message: `${at}.ipPool holds 203.0.113.10-203.0.114.1, which is not inside 203.0.113.0/24.`,
    },
    {
      because: 'a range of the address pool is reversed',
      yaml: publicKeys('ipPool: 203.0.113.20-203.0.113.10'),
      message: `${at}.ipPool holds 203.0.113.20-203.0.113.10, which ends before it begins.`,
    },
    {
      because: 'the address pool has the broadcast address',
      yaml: publicKeys(`${publicNetwork}, ipPool: 203.0.113.10-203.0.113.255`),
      message: `${at}.ipPool holds the network or the broadcast address of 203.0.113.0/24.`,
    },
    {
      because: 'the address pool has the gateway',
      yaml: publicKeys(`${publicNetwork}, ipPool: 203.0.113.1-203.0.113.9`),
      message: `${at}.ipPool holds 203.0.113.1, which is the gateway of 203.0.113.0/24.`,
    },
    {
      because: 'ranges of the address pool overlap',
      yaml: publicKeys('ipPool: [203.0.113.1-203.0.113.9, 203.0.113.9]'),
      message: `${at}.ipPool names 203.0.113.9 twice.`,
    },
    {
      because: 'TLS has a certificate and no key',
      yaml: 'server: { tls: { cert: a.pem } }',
      message: 'berth.yaml: server.tls.key is missing; server.tls.cert alone is not enough.',
    },
    {
      because: 'a key does not fit the kind of the cluster',
      yaml: 'cluster: { context: prod }',
      message: 'berth.yaml: cluster.context needs cluster.kind: kubeconfig, but it is sandbox.',
    },
    {
      because: 'the issuer does not use https',
      yaml: 'security: { oidc: { issuer: "http://i.example", clientId: a } }',
      message: 'berth.yaml: security.oidc.issuer must be an https:// URL;',
    },
    {
      because: 'groups have roles, but no claim names them',
      yaml: 'security: { oidc: { issuer: "https://i.example", clientId: a, groupRoles: ["a=tenant.admin"] } }',
      message: 'berth.yaml: security.oidc.groupRoles needs security.oidc.roleClaim',
    },
    {
      because: 'a group has no role',
      yaml: 'security: { oidc: { issuer: "https://i.example", clientId: a, roleClaim: groups, groupRoles: ["admins"] } }',
      message:
        'berth.yaml: security.oidc.groupRoles.0 must be a group and a role such as cloud-admins=tenant.admin',
    },
  ]
  test.for(cases)(
    'loadConfig names the file, the path and a remedy: $because',
    ({ yaml, message }) => {
      expect(messageOf(yaml)).toContain(message)
    },
  )
})

test('loadConfig reports all wrong keys at once', () => {
  expect(messageOf('server: { port: a }\nlog: { level: loud }').split('\n')).toHaveLength(2)
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
] as const)('a wrong variable is reported without its value: %j', ([env, message]) => {
  expect(messageOf(null, env)).toBe(message)
})
