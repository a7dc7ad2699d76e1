import { type Controller } from '../controller.ts'
import { snapshotSupport } from './snapshot-support.ts'
import { vmClones } from './clones/vm-clones.ts'
import { vmExports } from './vm-exports.ts'
import { vmRestores } from './restores/vm-restores.ts'
import { vmSnapshotContents } from './vm-snapshot-contents.ts'
import { vmSnapshots } from './vm-snapshots.ts'

/** The controllers of VM snapshots, restores, clones and exports. */
export const snapshotControllers: readonly Controller[] = [
  snapshotSupport,
  vmSnapshots,
  vmSnapshotContents,
  vmRestores,
  vmClones,
  vmExports,
]
