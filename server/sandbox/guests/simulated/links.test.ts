import { expect, test } from 'vitest'
import { type GuestVmiNic } from '../guest.ts'
import { linksOf } from './links.ts'

const nics: GuestVmiNic[] = [
  { name: 'default', mac: '02:00:00:00:00:0a', address: '10.0.2.2/24' },
  { name: 'lan', mac: '02:00:00:00:00:0b', address: null },
]

const version2 = (ethernets: string): string => `version: 2\nethernets:\n${ethernets}`

test.each([
  {
    because: 'without network data the first interface uses DHCP',
    data: '',
    first: ['eth0', '10.0.2.2/24', '10.0.2.1'],
    second: ['eth1'],
  },
  {
    because: 'invalid YAML counts as no network data',
    data: 'a: [',
    first: ['eth0', '10.0.2.2/24', '10.0.2.1'],
    second: ['eth1'],
  },
  {
    because: 'a MAC in capitals matches, and its interface can get a new name',
    data: version2(
      '  x:\n    match: {macaddress: "02:00:00:00:00:0B"}\n    set-name: lan0\n    addresses: [10.7.0.5/16]\n    gateway4: 10.7.0.1\n',
    ),
    first: ['eth0'],
    second: ['lan0', '10.7.0.5/16', '10.7.0.1'],
  },
  {
    because: 'an entry without a match applies by name, and a default route sets the gateway',
    data: version2(
      '  eth0:\n    dhcp4: true\n  eth1:\n    addresses: [10.7.0.6/24]\n    routes: [{to: default, via: 10.7.0.9}]\n',
    ),
    first: ['eth0', '10.0.2.2/24', '10.0.2.1'],
    second: ['eth1', '10.7.0.6/24', '10.7.0.9'],
  },
  {
    because: 'an interface on a network without DHCP gets no address',
    data: version2('  eth1: {dhcp4: true}\n'),
    first: ['eth0'],
    second: ['eth1'],
  },
  {
    because: 'version 1 has a list, static subnets and netmasks',
    data: 'network:\n  version: 1\n  config:\n  - type: physical\n    name: lan0\n    mac_address: "02:00:00:00:00:0b"\n    subnets:\n    - {type: static, address: 10.7.0.7, netmask: 255.255.240.0, gateway: 10.7.0.1}\n  - {type: nameserver, address: 1.1.1.1}\n',
    first: ['eth0'],
    second: ['lan0', '10.7.0.7/20', '10.7.0.1'],
  },
])('cloud-init configures the interfaces: $because', ({ data, first, second }) => {
  const configured = linksOf(nics, data).map(({ name, addresses, gateway }) => [
    name,
    ...addresses,
    ...(gateway === null ? [] : [gateway]),
  ])
  expect(configured).toEqual([first, second])
})
