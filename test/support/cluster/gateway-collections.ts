import { type ObjectNoun } from '../../../server/src/cluster/reader.ts'

// The paths of all kinds in the Kubernetes API. They repeat those of the product on purpose, so
// that a wrong path in the product fails a test.
export const collections: Readonly<Record<ObjectNoun, readonly [root: string, plural: string]>> = {
  vm: ['/apis/kubevirt.io/v1', 'virtualmachines'],
  dataVolume: ['/apis/cdi.kubevirt.io/v1beta1', 'datavolumes'],
  volume: ['/api/v1', 'persistentvolumeclaims'],
  volumeSnapshot: ['/apis/snapshot.storage.k8s.io/v1', 'volumesnapshots'],
  vmSnapshot: ['/apis/snapshot.kubevirt.io/v1beta1', 'virtualmachinesnapshots'],
  vmRestore: ['/apis/snapshot.kubevirt.io/v1beta1', 'virtualmachinerestores'],
  vmClone: ['/apis/clone.kubevirt.io/v1beta1', 'virtualmachineclones'],
  network: ['/apis/k8s.cni.cncf.io/v1', 'network-attachment-definitions'],
  networkPolicy: ['/apis/networking.k8s.io/v1', 'networkpolicies'],
  service: ['/api/v1', 'services'],
  endpointSlice: ['/apis/discovery.k8s.io/v1', 'endpointslices'],
  quota: ['/api/v1', 'resourcequotas'],
  limits: ['/api/v1', 'limitranges'],
  secret: ['/api/v1', 'secrets'],
  multiNetworkPolicy: ['/apis/k8s.cni.cncf.io/v1beta1', 'multi-networkpolicies'],
  router: ['/apis/kubeovn.io/v1', 'vpcs'],
  subnet: ['/apis/kubeovn.io/v1', 'subnets'],
  hostBridge: ['/apis/nmstate.io/v1', 'nodenetworkconfigurationpolicies'],
  admissionPolicy: ['/apis/admissionregistration.k8s.io/v1', 'validatingadmissionpolicies'],
  admissionBinding: ['/apis/admissionregistration.k8s.io/v1', 'validatingadmissionpolicybindings'],
}
