import { defineEntity, p } from '@mikro-orm/core'
import { type InferKyselyTable } from '@mikro-orm/sql'
import { vmSshRefusals } from '../../domain/vm-ssh/explain.ts'

/** How far the SSH access of a VM is applied in the cluster. */
export const VmSshSchema = defineEntity({
  name: 'VmSsh',
  tableName: 'vm_ssh',
  properties: {
    vmId: p.uuid().primary(),
    tenantId: p.uuid(),
    exposed: p.boolean(),
    wantedNodePort: p.integer().nullable(),
    generation: p.integer().default(1),
    firewallGeneration: p.integer(),
    appliedGeneration: p.integer().default(0),
    /** The generation that the cluster has refused for good. */
    refusedGeneration: p.integer().default(0),
    refusal: p.enum(vmSshRefusals).nullable(),
    nodePort: p.integer().nullable(),
    address: p.text().nullable(),
    serviceUid: p.text().nullable(),
    serviceVersion: p.text().nullable(),
    sliceUid: p.text().nullable(),
    sliceVersion: p.text().nullable(),
  },
})

declare module '../../engine/model/registry.ts' {
  interface Tables {
    vm_ssh: InferKyselyTable<typeof VmSshSchema>
  }
}
