import { type Controller } from '../controller.ts'
import { evacuation, workloadUpdates } from './automatic.ts'
import { migrationAgent } from './migration-agent.ts'
import { migrationController } from './migration-controller.ts'

/** The controllers that migrate VMIs between nodes. */
export const migrationControllers: readonly Controller[] = [
  migrationController,
  migrationAgent,
  evacuation,
  workloadUpdates,
]
