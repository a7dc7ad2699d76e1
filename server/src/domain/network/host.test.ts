import { expect, test } from 'vitest'
import { type HostInterface, type SeenHost, hostsWithout, uplinkRefusal } from './host.ts'

const own = '192.0.2.10'
const plain = (name: string, more: Partial<HostInterface> = {}): HostInterface => ({
  name,
  controller: null,
  base: null,
  addresses: [],
  ports: [],
  ...more,
})
const host = (interfaces: HostInterface[], more: Partial<SeenHost> = {}): SeenHost => ({
  name: 'node-0',
  addresses: [own],
  waysOut: [],
  interfaces,
  ...more,
})

const eth1 = plain('eth1')
test.each([
  [
    'one of several',
    host([plain('eth0', { addresses: [own] }), eth1], { waysOut: ['eth0'] }),
    false,
  ],
  [
    'what has an address that is not the host’s',
    host([plain('eth0', { addresses: [own] }), plain('eth1', { addresses: ['10.0.0.1'] })]),
    false,
  ],
  ['what has the host’s address', host([plain('eth1', { addresses: ['10.0.0.1', own] })]), true],
  ['what its default route takes', host([eth1], { waysOut: ['eth1'] }), true],
  [
    'what is in the bond that its default route takes',
    host([plain('eth1', { controller: 'bond0' }), plain('bond0')], { waysOut: ['bond0'] }),
    true,
  ],
  [
    'what is in the switch that has its address',
    host([plain('eth1', { controller: 'br-ex' }), plain('br-ex', { addresses: [own] })]),
    true,
  ],
  [
    'what carries the tagged one that has its address',
    host([eth1, plain('eth1.7', { base: 'eth1', addresses: [own] })]),
    true,
  ],
  [
    'what is in a bond that carries the tagged one',
    host(
      [plain('eth1', { controller: 'bond0' }), plain('bond0'), plain('bond0.7', { base: 'bond0' })],
      { waysOut: ['bond0.7'] },
    ),
    true,
  ],
  [
    'what carries a tagged one for others',
    host([plain('eth0', { addresses: [own] }), eth1, plain('eth1.7', { base: 'eth1' })]),
    false,
  ],
  [
    'what is in the bridge for VMs already',
    host([plain('eth1', { controller: 'br-public' }), plain('br-public', { ports: ['eth1'] })]),
    false,
  ],
  ['what it does not have', host([]), false],
])('an uplink of a host that has it as %s', (_what, seen, isRefused) => {
  const refusal = uplinkRefusal([seen], { uplink: 'eth1' })
  if (isRefused) expect(String(refusal)).toContain('eth1 is what node-0 is reached by')
  else expect(refusal).toBeNull()
})

test('a host without the bridge, or with another in its place, is named', () => {
  const bridge = plain('br-public', { ports: ['eth1'] })
  const hosts = [
    host([bridge, eth1], { name: 'a' }),
    host([eth1], { name: 'b' }),
    host([plain('br-public', { ports: ['eth2'] })], { name: 'c' }),
  ]
  expect(hostsWithout(hosts, { bridge: 'br-public', uplink: 'eth1' })).toEqual(['b', 'c'])
})
