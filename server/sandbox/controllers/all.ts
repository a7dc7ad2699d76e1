import { type Controller } from './controller.ts'
import { scheduler } from './scheduler.ts'
import { copyControllers } from './snapshots/all.ts'

/** Everything that works in the cluster on keys; namespaces and garbage have loops of their own. */
export const controllers: readonly Controller[] = [scheduler, ...copyControllers]
