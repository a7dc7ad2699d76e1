import { expect, test } from 'vitest'
import { type NodeInterface, type ObservedNode, nodesWithout, uplinkRefusal } from './node.ts'

const own = '192.0.2.10'
const plain = (name: string, more: Partial<NodeInterface> = {}): NodeInterface => ({
  name,
  controller: null,
  base: null,
  addresses: [],
  ports: [],
  ...more,
})
const node = (interfaces: NodeInterface[], more: Partial<ObservedNode> = {}): ObservedNode => ({
  name: 'node-0',
  addresses: [own],
  defaultRouteInterfaces: [],
  interfaces,
  ...more,
})

const eth1 = plain('eth1')
test.each([
  [
    'an unused interface',
    node([plain('eth0', { addresses: [own] }), eth1], { defaultRouteInterfaces: ['eth0'] }),
    false,
  ],
  [
    'an interface with an address other than the node’s',
    node([plain('eth0', { addresses: [own] }), plain('eth1', { addresses: ['10.0.0.1'] })]),
    false,
  ],
  [
    'the interface with the node’s address',
    node([plain('eth1', { addresses: ['10.0.0.1', own] })]),
    true,
  ],
  ['the interface of its default route', node([eth1], { defaultRouteInterfaces: ['eth1'] }), true],
  [
    'a port of the bond of its default route',
    node([plain('eth1', { controller: 'bond0' }), plain('bond0')], {
      defaultRouteInterfaces: ['bond0'],
    }),
    true,
  ],
  [
    'a port of the switch with its address',
    node([plain('eth1', { controller: 'br-ex' }), plain('br-ex', { addresses: [own] })]),
    true,
  ],
  [
    'the base of the VLAN interface with its address',
    node([eth1, plain('eth1.7', { base: 'eth1', addresses: [own] })]),
    true,
  ],
  [
    'a port of the bond below a VLAN interface',
    node(
      [plain('eth1', { controller: 'bond0' }), plain('bond0'), plain('bond0.7', { base: 'bond0' })],
      { defaultRouteInterfaces: ['bond0.7'] },
    ),
    true,
  ],
  [
    'the base of a VLAN interface that the node does not use',
    node([plain('eth0', { addresses: [own] }), eth1, plain('eth1.7', { base: 'eth1' })]),
    false,
  ],
  [
    'a port of the public bridge',
    node([plain('eth1', { controller: 'br-public' }), plain('br-public', { ports: ['eth1'] })]),
    false,
  ],
  ['a missing interface', node([]), false],
])('an uplink is refused only when the node depends on it: %s', (_what, observed, isRefused) => {
  const refusal = uplinkRefusal([observed], { uplink: 'eth1' })
  if (isRefused)
    expect(String(refusal)).toContain('eth1 is the interface through which node-0 is reached')
  else expect(refusal).toBeNull()
})

test('nodes without the bridge, or with another uplink in it, are listed', () => {
  const bridge = plain('br-public', { ports: ['eth1'] })
  const nodes = [
    node([bridge, eth1], { name: 'a' }),
    node([eth1], { name: 'b' }),
    node([plain('br-public', { ports: ['eth2'] })], { name: 'c' }),
  ]
  expect(nodesWithout(nodes, { bridge: 'br-public', uplink: 'eth1' })).toEqual(['b', 'c'])
})
