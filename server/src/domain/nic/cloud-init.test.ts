import { describe, expect, test } from 'vitest'
import { type WiredNic, networkDataOf } from './cloud-init.ts'

const pod: WiredNic = {
  ordinal: 0,
  kind: 'pod',
  mac: '02:00:00:00:00:01',
  address: null,
  gateway: null,
  cidr: null,
}
const inNetwork = (ordinal: number, different: Partial<WiredNic> = {}): WiredNic => ({
  ordinal,
  kind: 'private',
  mac: `02:00:00:00:01:0${ordinal}`,
  address: `10.0.${ordinal}.2`,
  gateway: `10.0.${ordinal}.1`,
  cidr: `10.0.${ordinal}.0/24`,
  ...different,
})

describe('what cloud-init is told of the network', () => {
  test('finds each NIC by its MAC: the platform’s own asks for an address, the others have one', () => {
    expect(networkDataOf([pod, inNetwork(1), inNetwork(2, { cidr: '10.0.0.0/20' })], null)).toEqual(
      {
        version: 2,
        ethernets: {
          nic0: { match: { macaddress: '02:00:00:00:00:01' }, dhcp4: true },
          nic1: { match: { macaddress: '02:00:00:00:01:01' }, addresses: ['10.0.1.2/24'] },
          nic2: { match: { macaddress: '02:00:00:00:01:02' }, addresses: ['10.0.2.2/20'] },
        },
      },
    )
  })

  test('has one way out: where the platform’s own network is missing, by the first NIC', () => {
    const { ethernets } = networkDataOf([inNetwork(0), inNetwork(1)], null)
    expect(ethernets['nic0']?.routes).toEqual([{ to: '0.0.0.0/0', via: '10.0.0.1' }])
    expect(ethernets['nic1']?.routes).toBeUndefined()
  })

  test('leads out by the public network, with its names; of one that was switched off nothing is known', () => {
    const nic: WiredNic = { ...pod, ordinal: 1, kind: 'public', address: '203.0.113.10' }
    const publicNetwork = {
      cidr: '203.0.113.0/24',
      gateway: '203.0.113.1',
      pool: [],
      dns: ['203.0.113.53'],
    }
    const { ethernets } = networkDataOf([pod, nic, inNetwork(2)], publicNetwork)
    expect(ethernets['nic1']).toEqual({
      match: { macaddress: pod.mac },
      addresses: ['203.0.113.10/24'],
      routes: [{ to: '0.0.0.0/0', via: '203.0.113.1' }],
      nameservers: { addresses: ['203.0.113.53'] },
    })
    expect(ethernets['nic2']?.routes).toBeUndefined()
    expect(networkDataOf([pod, nic], null).ethernets['nic1']).toEqual({
      match: { macaddress: pod.mac },
    })
  })
})
