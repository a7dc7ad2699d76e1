import { type NetworkDriver } from '../../domain/network/driver.ts'

/**
 * A private network that VMs attach to beside the cluster's own. No driver hands out addresses:
 * Berth assigns them.
 */
export interface WantedNetwork {
  driver: NetworkDriver
  mtu: number
  /** The bridge of a network that is made of tagged frames. Without a tag it is the segment. */
  tagged: { bridge: string; segment: number | null } | null
}

/** A router of a VPC's own. Nothing leads out of it. */
export interface WantedRouter {
  leadsOut: false
}

/**
 * A network's addresses in the cluster's own network, which nobody else can reach, not even out of
 * the same VPC.
 */
export interface WantedSubnet {
  router: string
  cidr: string
  gateway: string
  attachment: { namespace: string; name: string }
  mtu: number
}

/** A bridge on every host, with an interface of the host in it that leads out. */
export interface WantedHostBridge {
  bridge: string
  uplink: string
  mtu: number
}

/**
 * Who may talk to the VMs of a namespace on the cluster's own network. What no rule allows is
 * forbidden.
 */
export interface WantedNetworkPolicy {
  pods: GuardedPods
  ingress: readonly TrafficRule[]
  /** Null leaves that direction to other policies. */
  egress: readonly TrafficRule[] | null
}

/** The same in networks that VMs are in beside the cluster's own, and there alone. */
export interface WantedMultiNetworkPolicy extends WantedNetworkPolicy {
  /** One at least. */
  networks: readonly { namespace: string; name: string }[]
  /** The policy of the cluster's own network, with which it goes. */
  ownedBy: { name: string; uid: string }
}

/** The row of one VM, everything but whoever fills volumes, or of those whoever fetches images. */
export type GuardedPods =
  { kind: 'vm'; rowId: string } | { kind: 'allButFillers' } | { kind: 'importers' }

export interface TrafficRule {
  peer:
    | { kind: 'anyone' }
    | { kind: 'sameNamespace' }
    | { kind: 'namespace'; name: string }
    | { kind: 'range'; cidr: string; except: readonly string[] }
    /** Of which there is one at least. */
    | { kind: 'addresses'; addresses: readonly string[] }
    /** By their rows, of which there is one at least. */
    | { kind: 'vms'; rowIds: readonly string[] }
  /** Empty is every port. */
  ports: readonly { protocol: 'TCP' | 'UDP'; from: number; to: number }[]
}
