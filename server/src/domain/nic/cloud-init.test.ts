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
const inNetwork = (ordinal: number, change: Partial<WiredNic> = {}): WiredNic => ({
  ordinal,
  kind: 'private',
  mac: `02:00:00:00:01:0${ordinal}`,
  address: `10.0.${ordinal}.2`,
  gateway: `10.0.${ordinal}.1`,
  cidr: `10.0.${ordinal}.0/24`,
  ...change,
})

describe('the network data for cloud-init', () => {
  test('network data matches each NIC by MAC, with DHCP on the cluster network and fixed addresses elsewhere', () => {
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

  test('network data has one default route, through the first NIC when there is none on the cluster network', () => {
    const { ethernets } = networkDataOf([inNetwork(0), inNetwork(1)], null)
    expect(ethernets['nic0']?.routes).toEqual([{ to: '0.0.0.0/0', via: '10.0.0.1' }])
    expect(ethernets['nic1']?.routes).toBeUndefined()
  })

  test('network data routes through the public network with its DNS, and configures nothing once that is disabled', () => {
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
