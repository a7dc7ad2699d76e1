import { aggregation } from './access/aggregation.ts'
import { type Controller } from './controller.ts'
import { type Registry } from '../kinds/registry.ts'
import { type ComponentName } from '../components.ts'
import { kubeOvnControllers } from './kube-ovn/all.ts'
import { kubelet } from './kubelet.ts'
import { nodeLoss } from './node-loss.ts'
import { cdiControllers } from './cdi/all.ts'
import { quotas } from './quotas.ts'
import { policies as nodePolicies } from './nmstate/policies.ts'
import { migrationControllers } from './migrations/all.ts'
import { scheduler } from './scheduler.ts'
import { storageControllers } from './storage/all.ts'
import { snapshotControllers } from './snapshots/all.ts'
import { vmControllers } from './vms/all.ts'

/** Marks the changes of these controllers as made by the real program that contains them. */
const partOf = (program: string, parts: readonly Controller[]): Controller[] =>
  parts.map((part) => ({ fieldManager: program, ...part }))

/**
 * Lists the controllers that imitate those of a real cluster with the given components. Each gets a
 * work queue. The deletion of namespaces and garbage collection have loops of their own instead.
 */
export const controllersOf = (
  registry: Registry,
  components: readonly ComponentName[],
): Controller[] => [
  ...partOf('kube-scheduler', [scheduler]),
  ...partOf('kube-controller-manager', [
    nodeLoss,
    quotas(registry),
    aggregation,
    ...storageControllers,
  ]),
  kubelet,
  ...partOf('virt-controller', [...vmControllers, ...migrationControllers, ...snapshotControllers]),
  ...partOf('virt-cdi-controller', cdiControllers),
  ...(components.includes('kube-ovn') ? partOf('kube-ovn-controller', kubeOvnControllers) : []),
  ...(components.includes('nmstate') ? [nodePolicies] : []),
]
