import { type Transport } from '../../engine/kube/transport.ts'
import { type SubnetReader, type VlanTagReader } from '../reader.ts'
import { subnetReader } from './subnets.ts'
import { vlanTagReader } from './vlan-tags.ts'

export const networkReader = (transport: Transport): SubnetReader & VlanTagReader => ({
  ...subnetReader(transport),
  ...vlanTagReader(transport),
})
