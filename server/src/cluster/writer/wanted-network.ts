/** A private network that VMs attach to beside the cluster's own. None of them hands out addresses: those are Berth's to give. */
export type WantedNetwork =
  | { driver: 'bridge'; bridge: string; vlan: number; mtu: number }
  /** Excluded are the gateway and whatever else is not for VMs. */
  | { driver: 'ovn'; subnet: { cidr: string; excluded: readonly string[] } | null; mtu: number }
  | { driver: 'kubeOvn'; mtu: number }

/** Who may talk to the VMs of a namespace on the cluster's own network. What no rule allows is forbidden. */
export interface WantedNetworkPolicy {
  pods: GuardedPods
  ingress: readonly TrafficRule[]
  egress: readonly TrafficRule[]
}

/** The row of one VM, everything in the namespace, or whoever fetches images into it. */
export type GuardedPods = { kind: 'vm'; rowId: string } | { kind: 'all' } | { kind: 'importers' }

export interface TrafficRule {
  peer:
    | { kind: 'anyone' }
    | { kind: 'sameNamespace' }
    | { kind: 'namespace'; name: string }
    | { kind: 'range'; cidr: string; except: readonly string[] }
  /** Empty is every port. */
  ports: readonly { protocol: 'TCP' | 'UDP'; from: number; to: number }[]
}
