export const names = {
  vpcs: 'vpcs.kubeovn.io',
  subnets: 'subnets.kubeovn.io',
  finalizer: 'kubeovn.io/kube-ovn-controller',
} as const
