import { defineEntity, p } from '@mikro-orm/core'
import { type InferKyselyTable } from '@mikro-orm/sql'
import { type FoundVm } from '../../domain/unmanaged-vm/unmanaged-vm.ts'
import { versionColumns } from '../../engine/database/sql/entity-columns.ts'

export const UnmanagedVmSchema = defineEntity({
  name: 'UnmanagedVm',
  tableName: 'unmanaged_vm',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    name: p.text(),
    /** The row in the label of an object that Berth made. */
    madeAs: p.uuid().nullable(),
    clusterUid: p.text(),
    observedVersion: p.text(),
    found: p.json().$type<FoundVm>(),
    /** The claims of its disks. */
    claims: p.array().columnType('text[]').default([]),
    ...versionColumns,
  },
})

export class UnmanagedVm extends UnmanagedVmSchema.class {}
UnmanagedVmSchema.setClass(UnmanagedVm)

declare module '../../engine/model/registry.ts' {
  interface Tables {
    unmanaged_vm: InferKyselyTable<typeof UnmanagedVmSchema>
  }
}
