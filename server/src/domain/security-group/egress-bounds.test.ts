import { expect, test } from 'vitest'
import { type EgressBounds, isClosed, withinBounds } from './egress-bounds.ts'
import { type FirewallRule } from './firewall-rule.ts'

const bounds: EgressBounds = {
  closed: ['10.244.0.0/16', '10.96.0.0/12', '169.254.0.0/16', '192.0.2.10/32', 'fe80::/10'],
  pods: ['10.244.0.0/16'],
  dns: { namespace: 'kube-system', addresses: ['169.254.20.10'] },
}
const to = (cidr: string, ports: FirewallRule['ports'] = []): FirewallRule => ({
  peer: { kind: 'range', cidr, except: [] },
  ports,
})
const range = (cidr: string, ...except: string[]) => ({ kind: 'range', cidr, except })
const own = { kind: 'sameNamespace' }
const dnsPods = { kind: 'namespace', name: 'kube-system' }
const dnsOnNode = { kind: 'addresses', addresses: ['169.254.20.10'] }
const https = [{ protocol: 'TCP' as const, from: 443, to: 443 }]
const toDns = [{ protocol: 'UDP' as const, from: 1, to: 100 }]

test.each([
  {
    because:
      'all traffic keeps the VMs of the tenant and the DNS, and loses the rest of the cluster',
    rule: to('0.0.0.0/0'),
    peers: [
      range('0.0.0.0/0', '10.244.0.0/16', '10.96.0.0/12', '169.254.0.0/16', '192.0.2.10/32'),
      own,
      dnsPods,
      dnsOnNode,
    ],
  },
  {
    because: 'a rule without the port of DNS opens no DNS',
    rule: to('0.0.0.0/0', https),
    peers: [
      range('0.0.0.0/0', '10.244.0.0/16', '10.96.0.0/12', '169.254.0.0/16', '192.0.2.10/32'),
      own,
    ],
  },
  {
    because: 'only the exceptions inside the range are sent',
    rule: to('192.0.2.0/24'),
    peers: [range('192.0.2.0/24', '192.0.2.10/32')],
  },
  {
    because: 'a range outside the cluster stays as it is',
    rule: to('203.0.113.0/24'),
    peers: [range('203.0.113.0/24')],
  },
  {
    because: 'the whole network of pods means the VMs of the tenant and the DNS',
    rule: to('10.244.0.0/16'),
    peers: [own, dnsPods],
  },
  { because: 'a part of the network of pods is closed', rule: to('10.244.3.0/24'), peers: [] },
  { because: 'a node is closed', rule: to('192.0.2.10/32'), peers: [] },
  { because: 'the metadata service is closed', rule: to('169.254.169.254/32'), peers: [] },
  { because: 'a DNS on the node stays open', rule: to('169.254.20.10/32'), peers: [dnsOnNode] },
])('an egress rule keeps what lies outside the bounds: $because', ({ rule, peers }) => {
  const { egress } = withinBounds({ ingress: [], egress: [rule] }, bounds)
  expect(egress.map(({ peer }) => peer)).toEqual(expect.arrayContaining(peers))
  expect(egress).toHaveLength(peers.length)
  const { peer } = rule
  if (peer.kind === 'range' && rule.ports.length === 0)
    expect(isClosed(peer.cidr, bounds)).toBe(peers.length === 0)
})

test('the rule for DNS has the protocols of the rule it comes from, and the ports of DNS only', () => {
  const { egress } = withinBounds({ ingress: [], egress: [to('10.244.0.0/16', toDns)] }, bounds)
  expect(egress.find(({ peer }) => peer.kind === 'namespace')?.ports).toEqual([
    { protocol: 'UDP', from: 53, to: 53 },
    { protocol: 'UDP', from: 5353, to: 5353 },
  ])
})

test('ingress rules and rules that name VMs are not bounded', () => {
  const vms: FirewallRule = { peer: { kind: 'vms', rowIds: ['a'] }, ports: [] }
  const firewall = { ingress: [to('10.244.0.0/16')], egress: [vms] }
  expect(withinBounds(firewall, bounds)).toEqual(firewall)
})
