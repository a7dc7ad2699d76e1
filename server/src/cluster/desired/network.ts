import { type NetworkDriver } from '../../domain/network/driver.ts'

/**
 * A private network that VMs attach to in addition to the cluster network. Berth assigns its
 * addresses; no driver hands them out.
 */
export interface DesiredNetwork {
  driver: NetworkDriver
  mtu: number
  /**
   * The bridge and VLAN tag of a network with tagged frames. When the tag is null, the whole bridge
   * is the segment.
   */
  tagged: { bridge: string; segment: number | null } | null
}

/** The router of one VPC, without a route to the outside. */
export interface DesiredRouter {
  hasExternalRoute: false
}

/**
 * A Kube-OVN subnet with the addresses of one network. No other subnet can reach it, not even one
 * of the same VPC.
 */
export interface DesiredSubnet {
  router: string
  cidr: string
  gateway: string
  attachment: { namespace: string; name: string }
  mtu: number
}

/** A bridge on every node with the node's uplink interface as a port. */
export interface DesiredHostBridge {
  bridge: string
  uplink: string
  mtu: number
}

/**
 * Traffic that VMs of a namespace may have on the cluster network. Traffic that no rule allows is
 * denied.
 */
export interface DesiredNetworkPolicy {
  pods: SelectedPods
  ingress: readonly TrafficRule[]
  /** Egress rules; when null, this policy does not restrict egress. */
  egress: readonly TrafficRule[] | null
}

/** Traffic that VMs may have on additional networks. It does not apply to the cluster network. */
export interface DesiredMultiNetworkPolicy extends DesiredNetworkPolicy {
  /** At least one network. */
  networks: readonly { namespace: string; name: string }[]
  /** The NetworkPolicy that owns this object. Kubernetes deletes both together. */
  ownedBy: { name: string; uid: string }
}

/** The pods that a policy selects: those of one VM, all except CDI's, or only CDI's importers. */
export type SelectedPods =
  { kind: 'vm'; rowId: string } | { kind: 'allButFillers' } | { kind: 'importers' }

export interface TrafficRule {
  peer:
    | { kind: 'anyone' }
    | { kind: 'sameNamespace' }
    | { kind: 'namespace'; name: string }
    | { kind: 'range'; cidr: string; except: readonly string[] }
    /** At least one address. */
    | { kind: 'addresses'; addresses: readonly string[] }
    /** Row ids of at least one VM. */
    | { kind: 'vms'; rowIds: readonly string[] }
  /** An empty list means every port. */
  ports: readonly { protocol: 'TCP' | 'UDP'; from: number; to: number }[]
}
