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
      because: 'uplink is the bridge',
      yaml: publicKeys(`${publicNetwork}, uplink: br-pub, ipPool: 203.0.113.10`),
      says: `${at}.uplink must be another interface than platform.networking.public.bridge.name, which is made over it.`,
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
