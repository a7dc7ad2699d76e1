import { type KubeObject } from '../../objects/types.ts'
import { ownedBy } from '../owners.ts'

/** The name of the ControllerRevision with the VM's spec at start. */
export const revisionName = ({ metadata: { uid, generation } }: KubeObject): string =>
  `revision-start-vm-${uid}-${generation}`

/** Returns the ControllerRevision that stores the spec of a VM at its start. */
export const revisionOf = (vm: KubeObject): KubeObject => ({
  apiVersion: 'apps/v1',
  kind: 'ControllerRevision',
  metadata: {
    name: revisionName(vm),
    namespace: vm.metadata.namespace ?? '',
    ownerReferences: [ownedBy(vm)],
  },
  data: { spec: vm.spec },
  revision: vm.metadata.generation ?? 1,
})
