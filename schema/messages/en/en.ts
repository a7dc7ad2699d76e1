// `npm run fix` writes this file from the exports of schema/messages/en/*.ts.
import { access } from './access.ts'
import { capability } from './capability.ts'
import { cloudConfig } from './cloud-config.ts'
import { fault } from './fault.ts'
import { field } from './field.ts'
import { impact } from './impact.ts'
import { network } from './network.ts'
import { nic } from './nic.ts'
import { offering } from './offering.ts'
import { operation } from './operation.ts'
import { quota } from './quota.ts'
import { request } from './request.ts'
import { schedule } from './schedule.ts'
import { securityGroup } from './security-group.ts'
import { snapshot } from './snapshot.ts'
import { ssh } from './ssh.ts'
import { step } from './step.ts'
import { template } from './template.ts'
import { tenant } from './tenant.ts'
import { unmanagedVm } from './unmanaged-vm.ts'
import { vmEvent } from './vm-event.ts'
import { vmExplanation } from './vm-explanation.ts'
import { vmSnapshot } from './vm-snapshot.ts'
import { vm } from './vm.ts'
import { volume } from './volume.ts'
import { vpc } from './vpc.ts'

/** The English messages. Every other language has the same keys and slots. */
export const en = {
  ...access,
  ...capability,
  ...cloudConfig,
  ...fault,
  ...field,
  ...impact,
  ...network,
  ...nic,
  ...offering,
  ...operation,
  ...quota,
  ...request,
  ...schedule,
  ...securityGroup,
  ...snapshot,
  ...ssh,
  ...step,
  ...template,
  ...tenant,
  ...unmanagedVm,
  ...vmEvent,
  ...vmExplanation,
  ...vmSnapshot,
  ...vm,
  ...volume,
  ...vpc,
}
