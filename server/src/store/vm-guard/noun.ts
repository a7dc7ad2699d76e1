import { type Reader } from '../../engine/database/sql/reader.ts'
import { type NounParts } from '../noun-parts.ts'
import { VmGuardSchema, VmSecurityGroupSchema } from './vm-guard-entity.ts'
import { vmGuardKeys } from './vm-guard-keys.ts'
import { VmGuardReads, VmGuardStore } from './vm-guard.ts'

export const vmGuardNoun = {
  entities: [VmGuardSchema, VmSecurityGroupSchema],
  reads: { vmGuards: VmGuardReads },
  stores: {
    vmGuards: (_unit: unknown, reader: Reader) => new VmGuardStore(reader),
  },
  keys: { vm_guard: vmGuardKeys },
} satisfies NounParts
