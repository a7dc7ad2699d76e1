import { defineEntity, p } from '@mikro-orm/core'
import { type InferKyselyTable } from '@mikro-orm/sql'
import { type Explanation } from '../../domain/vm/explain.ts'
import { vmStates } from '../../domain/vm/state.ts'
import { vmEventCodes } from '../../domain/vm-event/vm-event.ts'
import { timestamp, messages } from '../../engine/database/sql/entity-columns.ts'

/**
 * This schema serves reads only. A unit of work writes the rows with its commit, and they never
 * change.
 */
export const VmEventSchema = defineEntity({
  name: 'VmEvent',
  tableName: 'vm_event',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    vmId: p.uuid(),
    at: timestamp(),
    code: p.enum(vmEventCodes),
    fromState: p.enum(vmStates),
    toState: p.enum(vmStates),
    explanation: messages<Explanation>().nullable(),
  },
})

declare module '../../engine/model/registry.ts' {
  interface Tables {
    vm_event: InferKyselyTable<typeof VmEventSchema>
  }
}
