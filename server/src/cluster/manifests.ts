import { type ObjectNoun } from './reader.ts'
import { type DesiredByNoun } from './desired/desired.ts'
import { type ApiKind } from '../engine/kube/api-call.ts'
import { type Content, type ContentTarget, optionalField } from '../engine/kube/manifest.ts'
import { admissionBindingContent, admissionPolicyContent } from './network/manifest-admission.ts'
import { hostBridgeContent } from './node/manifest-host-bridge.ts'
import { routerContent, subnetContent } from './network/manifest-subnet.ts'
import {
  networkContent,
  networkPolicyContent,
  networksOfPolicy,
} from './network/manifest-network.ts'
import { endpointSliceContent, endpointSliceLabels, serviceContent } from './vm/manifest-service.ts'
import {
  dataVolumeContent,
  volumeContent,
  volumeSnapshotContent,
} from './volume/manifest-storage.ts'
import { limitsContent, quotaContent, secretContent } from './tenant/manifest-tenancy.ts'
import { vmContent } from './vm/manifest-vm.ts'
import {
  vmCloneContent,
  vmRestoreContent,
  vmSnapshotContent,
} from './vm-snapshot/manifest-vm-snapshot.ts'

interface NounManifest<As> {
  of: ApiKind
  /** Everything except metadata. Pure: equal desired objects give equal manifests. */
  content: (as: As, target: ContentTarget) => Content
  annotations?: (as: As) => Readonly<Record<string, string>>
  /** Labels in addition to the ownership labels. */
  labels?: (as: As) => Readonly<Record<string, string>>
  /** Owner references. Kubernetes deletes the object with its owners. */
  owners?: (as: As) => readonly Content[]
}

const admission = { group: 'admissionregistration.k8s.io', version: 'v1' }
const kubeOvn = { group: 'kubeovn.io', version: 'v1' }
const snapshots = { group: 'snapshot.kubevirt.io', version: 'v1beta1' }

/** The API kind and the manifest of each noun. A new noun is a row here. */
export const manifests: { readonly [N in ObjectNoun]: NounManifest<DesiredByNoun[N]> } = {
  vm: {
    of: { group: 'kubevirt.io', version: 'v1', kind: 'VirtualMachine', plural: 'virtualmachines' },
    content: vmContent,
  },
  dataVolume: {
    of: { group: 'cdi.kubevirt.io', version: 'v1beta1', kind: 'DataVolume', plural: 'datavolumes' },
    content: dataVolumeContent,
    // The presence of the annotation counts: CDI treats "false" as on, too.
    annotations: ({ immediate }) =>
      optionalField('cdi.kubevirt.io/storage.bind.immediate.requested', immediate ? 'true' : null),
  },
  volume: {
    of: {
      group: '',
      version: 'v1',
      kind: 'PersistentVolumeClaim',
      plural: 'persistentvolumeclaims',
    },
    content: volumeContent,
  },
  volumeSnapshot: {
    of: {
      group: 'snapshot.storage.k8s.io',
      version: 'v1',
      kind: 'VolumeSnapshot',
      plural: 'volumesnapshots',
    },
    content: volumeSnapshotContent,
  },
  vmSnapshot: {
    of: { ...snapshots, kind: 'VirtualMachineSnapshot', plural: 'virtualmachinesnapshots' },
    content: vmSnapshotContent,
  },
  vmRestore: {
    of: { ...snapshots, kind: 'VirtualMachineRestore', plural: 'virtualmachinerestores' },
    content: vmRestoreContent,
  },
  vmClone: {
    of: {
      group: 'clone.kubevirt.io',
      version: 'v1beta1',
      kind: 'VirtualMachineClone',
      plural: 'virtualmachineclones',
    },
    content: vmCloneContent,
  },
  network: {
    of: {
      group: 'k8s.cni.cncf.io',
      version: 'v1',
      kind: 'NetworkAttachmentDefinition',
      plural: 'network-attachment-definitions',
    },
    content: networkContent,
  },
  networkPolicy: {
    of: {
      group: 'networking.k8s.io',
      version: 'v1',
      kind: 'NetworkPolicy',
      plural: 'networkpolicies',
    },
    content: networkPolicyContent,
  },
  service: {
    of: { group: '', version: 'v1', kind: 'Service', plural: 'services' },
    content: serviceContent,
  },
  endpointSlice: {
    of: {
      group: 'discovery.k8s.io',
      version: 'v1',
      kind: 'EndpointSlice',
      plural: 'endpointslices',
    },
    content: endpointSliceContent,
    labels: endpointSliceLabels,
  },
  multiNetworkPolicy: {
    of: {
      group: 'k8s.cni.cncf.io',
      version: 'v1beta1',
      kind: 'MultiNetworkPolicy',
      plural: 'multi-networkpolicies',
    },
    content: networkPolicyContent,
    annotations: networksOfPolicy,
    owners: ({ ownedBy }) => [
      { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', ...ownedBy },
    ],
  },
  quota: {
    of: { group: '', version: 'v1', kind: 'ResourceQuota', plural: 'resourcequotas' },
    content: quotaContent,
  },
  limits: {
    of: { group: '', version: 'v1', kind: 'LimitRange', plural: 'limitranges' },
    content: limitsContent,
  },
  secret: {
    of: { group: '', version: 'v1', kind: 'Secret', plural: 'secrets' },
    content: secretContent,
  },
  router: { of: { ...kubeOvn, kind: 'Vpc', plural: 'vpcs' }, content: routerContent },
  subnet: { of: { ...kubeOvn, kind: 'Subnet', plural: 'subnets' }, content: subnetContent },
  hostBridge: {
    of: {
      group: 'nmstate.io',
      version: 'v1',
      kind: 'NodeNetworkConfigurationPolicy',
      plural: 'nodenetworkconfigurationpolicies',
    },
    content: hostBridgeContent,
  },
  admissionPolicy: {
    of: { ...admission, kind: 'ValidatingAdmissionPolicy', plural: 'validatingadmissionpolicies' },
    content: admissionPolicyContent,
  },
  admissionBinding: {
    of: {
      ...admission,
      kind: 'ValidatingAdmissionPolicyBinding',
      plural: 'validatingadmissionpolicybindings',
    },
    content: admissionBindingContent,
  },
}
