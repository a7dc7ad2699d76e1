import { expect, test } from 'vitest'
import {
  firewallByAddress,
  firewallOf,
  secondaryEnforcementOf,
  podEnforcementOf,
} from './firewall.ts'
import { type SecurityGroupRule } from './security-group.ts'

const rule = (part: Partial<SecurityGroupRule> = {}): SecurityGroupRule => ({
  direction: 'ingress',
  protocol: 'tcp',
  portFrom: 80,
  portTo: 80,
  singlePort: false,
  cidr: '0.0.0.0/0',
  peerGroupId: null,
  ...part,
})
const allPorts = { portFrom: null, portTo: null }
const peer = { cidr: null, peerGroupId: 'g' }
const range = { kind: 'range', cidr: '0.0.0.0/0', except: [] }
const membersOf = (groupId: string): string[] => (groupId === 'g' ? ['b', 'a'] : [])

test.each([
  { because: 'without rules all traffic is denied', rules: [], ingress: [] },
  {
    because: 'the ports of the rule are kept',
    rules: [rule({ portTo: 90 })],
    ingress: [{ peer: range, ports: [{ protocol: 'TCP', from: 80, to: 90 }] }],
  },
  {
    because: 'a protocol without ports means all ports of that protocol',
    rules: [rule({ protocol: 'udp', ...allPorts })],
    ingress: [{ peer: range, ports: [{ protocol: 'UDP', from: 1, to: 65_535 }] }],
  },
  {
    because: 'the protocol "all" means all protocols and ports',
    rules: [rule({ protocol: 'all', ...allPorts })],
    ingress: [{ peer: range, ports: [] }],
  },
  {
    because: 'an ICMP rule does not allow all traffic',
    rules: [rule({ protocol: 'icmp', ...allPorts })],
    ingress: [],
  },
  {
    because: 'the VMs of a peer group are listed in a stable order',
    rules: [rule({ ...peer, protocol: 'all', ...allPorts })],
    ingress: [{ peer: { kind: 'vms', rowIds: ['a', 'b'] }, ports: [] }],
  },
  {
    because: 'a peer group without VMs allows no traffic',
    rules: [rule({ ...peer, peerGroupId: 'empty' })],
    ingress: [],
  },
  {
    because: 'equal rules of two groups are merged',
    rules: [rule(), rule()],
    ingress: [{ peer: range, ports: [{ protocol: 'TCP', from: 80, to: 80 }] }],
  },
])('a firewall combines the rules of all groups: $because', ({ rules, ingress }) => {
  expect(firewallOf(rules, membersOf)).toEqual({ ingress, egress: [] })
  const outwards = rules.map((each) => ({ ...each, direction: 'egress' as const }))
  expect(firewallOf(outwards, membersOf)).toEqual({ ingress: [], egress: ingress })
})

test('an ICMP rule is enforced only when another rule allows all traffic of the same peer and direction', () => {
  const icmp = rule({ protocol: 'icmp', ...allPorts })
  const all = rule({ protocol: 'all', ...allPorts })
  const enforcedBeside = (...otherRules: SecurityGroupRule[]): boolean =>
    podEnforcementOf(icmp, { all: [icmp, ...otherRules], bounds: null }).enforced
  expect(enforcedBeside(all)).toBe(true)
  for (const other of [
    rule(),
    { ...all, direction: 'egress' as const },
    { ...all, cidr: '10.0.0.0/8' },
    { ...all, ...peer },
  ])
    expect(enforcedBeside(other)).toBe(false)
  expect(String(podEnforcementOf(icmp, { all: [icmp], bounds: null }).reason)).toContain('ICMP')
  expect(podEnforcementOf(rule(), { all: [], bounds: null })).toEqual({
    enforced: true,
    reason: null,
  })
})

test('a rule to a closed range is not enforced, and a rule from it is', () => {
  const dns = { namespace: 'kube-system', addresses: [] }
  const bounds = { closed: ['192.0.2.0/24'], pods: [], dns }
  const enforcement = (part: Partial<SecurityGroupRule>) =>
    podEnforcementOf(rule(part), { all: [], bounds })
  const egress = { direction: 'egress' as const, cidr: '192.0.2.10/32' }
  expect(enforcement(egress).enforced).toBe(false)
  expect(String(enforcement(egress).reason)).toContain('belong to the cluster')
  expect(enforcement({ ...egress, direction: 'ingress' }).enforced).toBe(true)
  expect(enforcement({ ...egress, cidr: '0.0.0.0/0' }).enforced).toBe(true)
})

test('a firewall by address replaces peer groups by the addresses of their VMs and drops groups without any', () => {
  const ports = [{ protocol: 'TCP' as const, from: 22, to: 22 }]
  const range = { peer: { kind: 'range' as const, cidr: '10.0.0.0/8', except: [] }, ports }
  const group = (...rowIds: string[]) => ({ peer: { kind: 'vms' as const, rowIds }, ports })
  const firewall = firewallByAddress(
    { ingress: [range, group('a', 'b'), group('c')], egress: [group('c')] },
    (id) => ({ a: ['10.1.0.2'], b: ['10.1.0.3'] })[id] ?? [],
  )
  expect(firewall).toEqual({
    ingress: [range, { peer: { kind: 'addresses', addresses: ['10.1.0.2', '10.1.0.3'] }, ports }],
    egress: [],
  })
})

test.each([
  {
    because: 'no filter covers that network',
    hasFilters: false,
    driver: 'ovn-layer2' as const,
    enforced: false,
    why: 'cluster network only',
  },
  {
    because: 'the switch of the driver filters',
    hasFilters: true,
    driver: 'ovn-layer2' as const,
    enforced: true,
    why: null,
  },
  {
    because: 'a bridge bypasses filters in the pod',
    hasFilters: true,
    driver: 'bridge-vlan' as const,
    enforced: false,
    why: 'not known',
  },
  {
    because: 'the driver is not known to filter',
    hasFilters: true,
    driver: 'kube-ovn' as const,
    enforced: false,
    why: 'not known',
  },
])(
  'a rule in a private network is enforced: $enforced, because $because',
  ({ hasFilters, driver, enforced, why }) => {
    const enforcement = secondaryEnforcementOf(
      { kind: 'private', driver },
      { hasFilters, of: { enforced: true, reason: null } },
    )
    expect(enforcement.enforced).toBe(enforced)
    if (why !== null) expect(String(enforcement.reason)).toContain(why)
  },
)
