/** The kinds of Kube-OVN as `kubectl get` names them, and the finalizer of its controller. */
export const names = {
  vpcs: 'vpcs.kubeovn.io',
  subnets: 'subnets.kubeovn.io',
  finalizer: 'kubeovn.io/kube-ovn-controller',
} as const
