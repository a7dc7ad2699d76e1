import { type ObjectNoun } from './reader.ts'
import { type DesiredByNoun } from './desired/desired.ts'
import { type ApiKind } from '../engine/kube/api-call.ts'
import { type Content, type ContentTarget, optionalField } from '../engine/kube/content/manifest.ts'
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
import { vmContent, vmManifestVersion } from './vm/manifest-vm.ts'
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

/** The verbs with which Berth calls its own objects. An apply that creates needs both rights. */
const verbs = {
  owned: ['get', 'list', 'watch', 'create', 'patch', 'delete'],
  /** Objects that go with their namespace, or stay for ever. */
  kept: ['get', 'list', 'watch', 'create', 'patch'],
  /** Secrets are never listed. Restores and routers are found by the names of their rows. */
  unwatched: ['get', 'create', 'patch', 'delete'],
  /** CDI creates and Kubernetes deletes the claims; Berth makes them larger. */
  claim: ['get', 'list', 'watch', 'patch'],
  /** A clone of a VM is a deploy. */
  none: [],
} as const

/** The API kind and the manifest of each noun. A new noun is a row here. */
export const manifests: { readonly [N in ObjectNoun]: NounManifest<DesiredByNoun[N]> } = {
  vm: {
    of: {
      group: 'kubevirt.io',
      version: 'v1',
      kind: 'VirtualMachine',
      plural: 'virtualmachines',
      verbs: verbs.owned,
    },
    content: vmContent,
    annotations: () => ({ [vmManifestVersion.name]: vmManifestVersion.value }),
  },
  dataVolume: {
    of: {
      group: 'cdi.kubevirt.io',
      version: 'v1beta1',
      kind: 'DataVolume',
      plural: 'datavolumes',
      verbs: verbs.owned,
    },
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
      verbs: verbs.claim,
    },
    content: volumeContent,
  },
  volumeSnapshot: {
    of: {
      group: 'snapshot.storage.k8s.io',
      version: 'v1',
      kind: 'VolumeSnapshot',
      plural: 'volumesnapshots',
      verbs: verbs.owned,
    },
    content: volumeSnapshotContent,
  },
  vmSnapshot: {
    of: {
      ...snapshots,
      kind: 'VirtualMachineSnapshot',
      plural: 'virtualmachinesnapshots',
      verbs: verbs.owned,
    },
    content: vmSnapshotContent,
  },
  vmRestore: {
    of: {
      ...snapshots,
      kind: 'VirtualMachineRestore',
      plural: 'virtualmachinerestores',
      verbs: verbs.unwatched,
    },
    content: vmRestoreContent,
  },
  vmClone: {
    of: {
      group: 'clone.kubevirt.io',
      version: 'v1beta1',
      kind: 'VirtualMachineClone',
      plural: 'virtualmachineclones',
      verbs: verbs.none,
    },
    content: vmCloneContent,
  },
  network: {
    of: {
      group: 'k8s.cni.cncf.io',
      version: 'v1',
      kind: 'NetworkAttachmentDefinition',
      plural: 'network-attachment-definitions',
      verbs: verbs.owned,
    },
    content: networkContent,
  },
  networkPolicy: {
    of: {
      group: 'networking.k8s.io',
      version: 'v1',
      kind: 'NetworkPolicy',
      plural: 'networkpolicies',
      verbs: verbs.owned,
    },
    content: networkPolicyContent,
  },
  service: {
    of: { group: '', version: 'v1', kind: 'Service', plural: 'services', verbs: verbs.owned },
    content: serviceContent,
  },
  endpointSlice: {
    of: {
      group: 'discovery.k8s.io',
      version: 'v1',
      kind: 'EndpointSlice',
      plural: 'endpointslices',
      verbs: verbs.owned,
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
      verbs: verbs.owned,
    },
    content: networkPolicyContent,
    annotations: networksOfPolicy,
    owners: ({ ownedBy }) => [
      { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', ...ownedBy },
    ],
  },
  quota: {
    of: {
      group: '',
      version: 'v1',
      kind: 'ResourceQuota',
      plural: 'resourcequotas',
      verbs: verbs.kept,
    },
    content: quotaContent,
  },
  limits: {
    of: { group: '', version: 'v1', kind: 'LimitRange', plural: 'limitranges', verbs: verbs.kept },
    content: limitsContent,
  },
  secret: {
    of: { group: '', version: 'v1', kind: 'Secret', plural: 'secrets', verbs: verbs.unwatched },
    content: secretContent,
  },
  router: {
    of: { ...kubeOvn, kind: 'Vpc', plural: 'vpcs', verbs: verbs.unwatched },
    content: routerContent,
  },
  subnet: {
    of: { ...kubeOvn, kind: 'Subnet', plural: 'subnets', verbs: verbs.owned },
    content: subnetContent,
  },
  hostBridge: {
    of: {
      group: 'nmstate.io',
      version: 'v1',
      kind: 'NodeNetworkConfigurationPolicy',
      plural: 'nodenetworkconfigurationpolicies',
      verbs: verbs.owned,
    },
    content: hostBridgeContent,
  },
  admissionPolicy: {
    of: {
      ...admission,
      kind: 'ValidatingAdmissionPolicy',
      plural: 'validatingadmissionpolicies',
      verbs: verbs.kept,
    },
    content: admissionPolicyContent,
  },
  admissionBinding: {
    of: {
      ...admission,
      kind: 'ValidatingAdmissionPolicyBinding',
      plural: 'validatingadmissionpolicybindings',
      verbs: verbs.kept,
    },
    content: admissionBindingContent,
  },
}
