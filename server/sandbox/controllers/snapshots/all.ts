import { type Controller } from '../controller.ts'
import { snapshotSupport } from './snapshot-support.ts'
import { vmClones } from './clones/vm-clones.ts'
import { vmExports } from './vm-exports.ts'
import { vmRestores } from './restores/vm-restores.ts'
import { vmSnapshotContents } from './vm-snapshot-contents.ts'
import { vmSnapshots } from './vm-snapshots.ts'

/** What makes copies of VMs, brings VMs back from them and hands them out. */
export const copyControllers: readonly Controller[] = [
  snapshotSupport,
  vmSnapshots,
  vmSnapshotContents,
  vmRestores,
  vmClones,
  vmExports,
]
