import { type Controller } from '../controller.ts'
import { claimBinder } from './claims.ts'
import { resizer } from './expansion.ts'
import { claimProtection } from './protection.ts'
import { provisioner } from './provisioner.ts'
import { volumeSnapshots } from './volume-snapshots.ts'
import { volumeController } from './volumes.ts'

/** The controllers that bind PVCs, and provision, expand, snapshot and reclaim volumes. */
export const storageControllers: readonly Controller[] = [
  claimBinder,
  provisioner,
  volumeController,
  claimProtection,
  resizer,
  volumeSnapshots,
]
