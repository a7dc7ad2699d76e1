import { type Controller } from '../controller.ts'
import { claimBinder } from './claims.ts'
import { resizer } from './expansion.ts'
import { claimProtection } from './protection.ts'
import { provisioner } from './provisioner.ts'
import { volumeSnapshots } from './volume-snapshots.ts'
import { volumeKeeper } from './volumes.ts'

/** What gives claims their volumes, grows them and takes them back. */
export const storageControllers: readonly Controller[] = [
  claimBinder,
  provisioner,
  volumeKeeper,
  claimProtection,
  resizer,
  volumeSnapshots,
]
