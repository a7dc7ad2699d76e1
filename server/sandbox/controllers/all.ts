import { type Controller } from './controller.ts'
import { kubelet } from './kubelet.ts'
import { nodeLoss } from './node-loss.ts'
import { cdiControllers } from './cdi/all.ts'
import { quotas } from './quotas.ts'
import { migrationControllers } from './migrations/all.ts'
import { scheduler } from './scheduler.ts'
import { storageControllers } from './storage/all.ts'
import { copyControllers } from './snapshots/all.ts'
import { vmControllers } from './vms/all.ts'

/** Everything that works in the cluster on keys; namespaces and garbage have loops of their own. */
export const controllers: readonly Controller[] = [
  scheduler,
  nodeLoss,
  kubelet,
  quotas,
  ...vmControllers,
  ...migrationControllers,
  ...copyControllers,
  ...storageControllers,
  ...cdiControllers,
]
