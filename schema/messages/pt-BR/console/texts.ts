// `npm run fix` writes this file from the exports of schema/messages/pt-BR/console/*.ts.
import { access } from './access.ts'
import { codes } from './codes.ts'
import { deploy } from './deploy.ts'
import { networks } from './networks.ts'
import { palette } from './palette.ts'
import { platform } from './platform.ts'
import { securityGroups } from './security-groups.ts'
import { shell } from './shell.ts'
import { snapshotSchedules } from './snapshot-schedules.ts'
import { states } from './states.ts'
import { templates } from './templates.ts'
import { vmSnapshots } from './vm-snapshots.ts'
import { vmVerbs, vmVerbCodes } from './vm-verbs.ts'
import { vm } from './vm.ts'
import { vms } from './vms.ts'
import { volumes } from './volumes.ts'

/** The texts of the console by their English. */
export const texts = {
  ...access,
  ...deploy,
  ...networks,
  ...palette,
  ...platform,
  ...securityGroups,
  ...shell,
  ...snapshotSchedules,
  ...states,
  ...templates,
  ...vmSnapshots,
  ...vmVerbs,
  ...vm,
  ...vms,
  ...volumes,
}

/** The words that the console derives from codes, such as `operation.create_vm`. */
export const codeLabels = { ...codes, ...vmVerbCodes }
