import { type Controller } from '../controller.ts'
import { clones } from './clones.ts'
import { dataVolumes } from './data-volumes.ts'
import { importers } from './importers.ts'
import { populators } from './populators.ts'
import { primeEvents } from './prime-events.ts'
import { workers } from './workers.ts'

/** The controllers of CDI, which fill volumes. */
export const cdiControllers: readonly Controller[] = [
  dataVolumes,
  clones,
  populators,
  importers,
  primeEvents,
  workers,
]
