import { expect, test } from 'vitest'
import { manifestOf } from '../../../server/src/cluster/objects.ts'
import { canonicalCidr } from '../../../server/src/domain/network/cidr.ts'
import {
  type EgressBounds,
  withinBounds,
} from '../../../server/src/domain/security-group/egress-bounds.ts'
import { firewallOf } from '../../../server/src/domain/security-group/firewall.ts'
import { type RuleRequest, requireRules } from '../../../server/src/domain/security-group/rules.ts'
import { type SecurityGroupRule } from '../../../server/src/domain/security-group/security-group.ts'
import { type Json } from '../../support/json.ts'
import { fc } from '../../support/property-testing.ts'

/*
 * Compares the meaning of security group rules with the effect of the NetworkPolicy that Berth
 * writes for them.
 */
const groups = ['5f2d7a51-58a5-4b70-9c1c-0a2f6f7f0c01', '5f2d7a51-58a5-4b70-9c1c-0a2f6f7f0c02']
const vms = Array.from({ length: 4 }, (_, index) => `0b6f1c1e-7f0f-4d6c-9a51-0d2a3c4b5e6${index}`)
const [id = ''] = vms

const ports = fc.oneof(
  fc.constant({}),
  fc
    .tuple(fc.integer({ min: 1, max: 9 }), fc.nat(3))
    .map(([portFrom, more]) => ({ portFrom, portTo: portFrom + more })),
)
const peer = fc.oneof(
  fc
    .constantFrom('0.0.0.0/0', '10.0.0.0/8', '10.1.0.0/16', '192.0.2.0/24', '::/0')
    .map((cidr) => ({ cidr })),
  fc.constantFrom(...groups).map((peerGroupId) => ({ peerGroupId })),
)
const direction = fc.constantFrom('ingress' as const, 'egress' as const)
const rule: fc.Arbitrary<RuleRequest> = fc.oneof(
  fc
    .tuple(direction, fc.constantFrom('tcp' as const, 'udp' as const), peer, ports)
    .map(([side, protocol, peerPart, portPart]) => ({
      direction: side,
      protocol,
      ...peerPart,
      ...portPart,
    })),
  fc
    .tuple(direction, fc.constantFrom('icmp' as const, 'all' as const), peer)
    .map(([side, protocol, peerPart]) => ({ direction: side, protocol, ...peerPart })),
)
const membership = fc.dictionary(fc.constantFrom(...groups), fc.subarray(vms), {
  noNullPrototype: true,
})

interface Packet {
  way: 'ingress' | 'egress'
  protocol: 'tcp' | 'udp' | 'icmp'
  port: number
  /** A VM of the tenant, or an address outside the tenant. */
  from: { vm: string } | { address: string }
}
const packet: fc.Arbitrary<Packet> = fc.record({
  way: direction,
  protocol: fc.constantFrom('tcp' as const, 'udp' as const, 'icmp' as const),
  port: fc.integer({ min: 1, max: 14 }),
  from: fc.oneof(
    fc.constantFrom(...vms).map((vm) => ({ vm })),
    fc
      .constantFrom('10.1.2.3', '10.9.9.9', '192.0.2.5', '203.0.113.9', '2001:db8::1')
      .map((address) => ({ address })),
  ),
})

const isIn = (address: string, cidr: string): boolean => {
  const [, length = ''] = cidr.split('/')
  return (
    address.includes(':') === cidr.includes(':') && canonicalCidr(`${address}/${length}`) === cidr
  )
}

type Members = Record<string, string[]>

/** True when the rules allow the packet, by the meaning of security groups. */
const rulesAllow = (rules: readonly SecurityGroupRule[], members: Members, sent: Packet): boolean =>
  rules.some(
    (each) => each.direction === sent.way && isPortOf(each, sent) && isPeerOf(each, members, sent),
  )

const isPortOf = ({ protocol, portFrom, portTo }: SecurityGroupRule, sent: Packet): boolean =>
  protocol === 'all' ||
  (protocol === sent.protocol &&
    (portFrom === null || (sent.port >= portFrom && sent.port <= (portTo ?? 0))))

const isPeerOf = (
  { cidr, peerGroupId }: SecurityGroupRule,
  members: Members,
  { from }: Packet,
): boolean =>
  'vm' in from
    ? Boolean(members[peerGroupId ?? '']?.includes(from.vm))
    : cidr !== null && isIn(from.address, cidr)

/** True when the packet would leave the tenant for the rest of the platform. */
const isClosed = ({ way, from }: Packet): boolean =>
  way === 'egress' && 'address' in from && bounds.closed.some((range) => isIn(from.address, range))

/** True when a range covers all pods, and so the VMs of the tenant. */
const reachesOwnVms = (rules: readonly SecurityGroupRule[], sent: Packet): boolean =>
  sent.way === 'egress' &&
  'vm' in sent.from &&
  rules.some(
    (each) =>
      each.direction === 'egress' &&
      isPortOf(each, sent) &&
      each.cidr !== null &&
      [pods, '10.0.0.0/8', '0.0.0.0/0', '::/0'].includes(each.cidr),
  )

/** The network of pods, and a host of the platform outside it. */
const pods = '10.1.0.0/16'
const bounds: EgressBounds = {
  closed: [pods, '192.0.2.5/32'],
  pods: [pods],
  dns: { namespace: 'kube-system', addresses: [] },
}

const policyOf = (rules: readonly SecurityGroupRule[], members: Members): Json => {
  const firewall = firewallOf(rules, (groupId) => members[groupId] ?? [])
  const spec = { pods: { kind: 'vm' as const, rowId: id }, ...withinBounds(firewall, bounds) }
  const desired = {
    noun: 'networkPolicy',
    namespace: 'berth-acme',
    name: 'firewall',
    tenantId: id,
    rowId: id,
    uid: null,
    spec,
  } as const
  return JSON.parse(JSON.stringify(manifestOf(desired).content)).spec
}

/**
 * True when the NetworkPolicy allows the packet. A missing peer or port list matches everything; a
 * port list never matches ICMP.
 */
const policyAllows = (spec: Json, { way, protocol, port, from }: Packet): boolean =>
  ((spec[way] ?? []) as Json[]).some(({ from: sources, to, ports: named }) => {
    const isPeer = ((sources ?? to) as Json[]).some(({ ipBlock, podSelector }) =>
      'vm' in from
        ? isSelected(podSelector, from.vm)
        : ipBlock &&
          isIn(from.address, ipBlock.cidr) &&
          !(ipBlock.except ?? []).some((range: string) => isIn(from.address, range)),
    )
    const isPort =
      !named ||
      named.some(
        (each: Json) =>
          each.protocol === protocol.toUpperCase() &&
          port >= each.port &&
          port <= (each.endPort ?? each.port),
      )
    return isPeer && isPort
  })

/** A selector without expressions selects every pod of the namespace. */
const isSelected = (selector: Json, vm: string): boolean =>
  selector !== undefined && (selector.matchExpressions?.[0].values.includes(vm) ?? true)

test('the policy of a VM allows exactly what its groups allow outside the platform, and ICMP only through rules for all protocols', () => {
  fc.assert(
    fc.property(
      fc.array(rule, { maxLength: 6 }),
      membership,
      packet,
      (requested, members, sent) => {
        const rules = requireRules(requested)
        const enforceable = rules.filter(({ protocol }) => protocol !== 'icmp')
        const spec = policyOf(rules, members)
        expect(spec.policyTypes).toEqual(['Ingress', 'Egress'])
        const isAllowed = rulesAllow(enforceable, members, sent) && !isClosed(sent)
        expect(policyAllows(spec, sent)).toBe(isAllowed || reachesOwnVms(enforceable, sent))
      },
    ),
    { numRuns: 3_000 },
  )
})

test('the order of rules and groups does not change the policy', () => {
  fc.assert(
    fc.property(fc.array(rule, { maxLength: 6 }), membership, (requested, members) => {
      const rules = requireRules(requested)
      const turned = Object.fromEntries(
        Object.entries(members).map(([group, ids]) => [group, ids.toReversed()]),
      )
      expect(policyOf(rules.toReversed(), turned)).toEqual(policyOf(rules, members))
    }),
  )
})

test('user input for a range never becomes more than a range', () => {
  const text = fc.oneof(
    fc.string(),
    fc.ipV4(),
    fc.ipV6(),
    fc.tuple(fc.ipV4(), fc.string()).map((parts) => parts.join('/')),
  )
  fc.assert(
    fc.property(text, (typed) => {
      const canonical = canonicalCidr(typed)
      if (canonical !== null) expect(canonical).toMatch(/^([0-9.]+|[0-9a-f:]+)\/\d{1,3}$/)
    }),
    { numRuns: 2_000 },
  )
})
