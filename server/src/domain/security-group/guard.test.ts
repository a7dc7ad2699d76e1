import { expect, test } from 'vitest'
import { guardByAddress, guardOf, otherEnforcementOf, podEnforcementOf } from './guard.ts'
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
const every = { portFrom: null, portTo: null }
const peer = { cidr: null, peerGroupId: 'g' }
const range = { kind: 'range', cidr: '0.0.0.0/0', except: [] }
const members = (groupId: string): string[] => (groupId === 'g' ? ['b', 'a'] : [])

test.each([
  { because: 'without rules nothing is let through', rules: [], ingress: [] },
  {
    because: 'ports are those of the rule',
    rules: [rule({ portTo: 90 })],
    ingress: [{ peer: range, ports: [{ protocol: 'TCP', from: 80, to: 90 }] }],
  },
  {
    because: 'a protocol without ports is all of its ports, and of no other',
    rules: [rule({ protocol: 'udp', ...every })],
    ingress: [{ peer: range, ports: [{ protocol: 'UDP', from: 1, to: 65_535 }] }],
  },
  {
    because: 'all is everything',
    rules: [rule({ protocol: 'all', ...every })],
    ingress: [{ peer: range, ports: [] }],
  },
  {
    because: 'ICMP is not let through by letting through everything',
    rules: [rule({ protocol: 'icmp', ...every })],
    ingress: [],
  },
  {
    because: 'the VMs of a group are named, in one order',
    rules: [rule({ ...peer, protocol: 'all', ...every })],
    ingress: [{ peer: { kind: 'vms', rowIds: ['a', 'b'] }, ports: [] }],
  },
  {
    because: 'a group without VMs is nobody',
    rules: [rule({ ...peer, peerGroupId: 'empty' })],
    ingress: [],
  },
  {
    because: 'what two groups let through is said once',
    rules: [rule(), rule()],
    ingress: [{ peer: range, ports: [{ protocol: 'TCP', from: 80, to: 80 }] }],
  },
])('$because', ({ rules, ingress }) => {
  expect(guardOf(rules, members)).toEqual({ ingress, egress: [] })
  const outwards = rules.map((each) => ({ ...each, direction: 'egress' as const }))
  expect(guardOf(outwards, members)).toEqual({ ingress: [], egress: ingress })
})

test('a rule for ICMP holds where everything of the same peer is let through in the same direction, and nowhere else', () => {
  const icmp = rule({ protocol: 'icmp', ...every })
  const all = rule({ protocol: 'all', ...every })
  const enforcedBeside = (...others: SecurityGroupRule[]): boolean =>
    podEnforcementOf(icmp, [icmp, ...others]).enforced
  expect(enforcedBeside(all)).toBe(true)
  for (const other of [
    rule(),
    { ...all, direction: 'egress' as const },
    { ...all, cidr: '10.0.0.0/8' },
    { ...all, ...peer },
  ])
    expect(enforcedBeside(other)).toBe(false)
  expect(String(podEnforcementOf(icmp, [icmp]).reason)).toContain('ICMP')
  expect(podEnforcementOf(rule(), [])).toEqual({ enforced: true, reason: null })
})

test('where VMs are known by their addresses alone, a group is the addresses of its VMs, and one without any is nobody', () => {
  const ports = [{ protocol: 'TCP' as const, from: 22, to: 22 }]
  const range = { peer: { kind: 'range' as const, cidr: '10.0.0.0/8', except: [] }, ports }
  const group = (...rowIds: string[]) => ({ peer: { kind: 'vms' as const, rowIds }, ports })
  const guard = guardByAddress(
    { ingress: [range, group('a', 'b'), group('c')], egress: [group('c')] },
    (id) => ({ a: ['10.1.0.2'], b: ['10.1.0.3'] })[id] ?? [],
  )
  expect(guard).toEqual({
    ingress: [range, { peer: { kind: 'addresses', addresses: ['10.1.0.2', '10.1.0.3'] }, ports }],
    egress: [],
  })
})

test.each([
  {
    because: 'nothing filters there',
    hasFilters: false,
    driver: 'ovn-layer2' as const,
    enforced: false,
    why: 'own network only',
  },
  {
    because: 'its switch filters',
    hasFilters: true,
    driver: 'ovn-layer2' as const,
    enforced: true,
    why: null,
  },
  {
    because: 'a bridge passes by the pod',
    hasFilters: true,
    driver: 'bridge-vlan' as const,
    enforced: false,
    why: 'not known',
  },
  {
    because: 'nobody has said that it filters so',
    hasFilters: true,
    driver: 'kube-ovn' as const,
    enforced: false,
    why: 'not known',
  },
])(
  'a rule in a private network is enforced: $enforced, because $because',
  ({ hasFilters, driver, enforced, why }) => {
    const said = otherEnforcementOf(
      { kind: 'private', driver },
      { hasFilters, of: { enforced: true, reason: null } },
    )
    expect(said.enforced).toBe(enforced)
    if (why !== null) expect(String(said.reason)).toContain(why)
  },
)
