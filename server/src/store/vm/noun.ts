import { messageOf } from '../../engine/model/message.ts'
import { type NounParts } from '../noun-parts.ts'
import { VmConsoleStore } from './vm-console.ts'
import { Vm } from './vm-entity.ts'
import { VmEventSchema } from './vm-event-entity.ts'
import { VmEventReads } from './vm-event.ts'
import { vmKeys } from './vm-keys.ts'
import { VmReads } from './vm-reads.ts'
import { VmStore } from './vm.ts'

/**
 * The part of the store for VMs, their history and their console tickets: tables, queries and work
 * keys for the reconciler.
 */
export const vmNoun = {
  entities: [Vm, VmEventSchema],
  reads: { vms: VmReads, vmEvents: VmEventReads },
  stores: { vms: VmStore, vmConsoles: VmConsoleStore },
  workKeys: { vm: vmKeys },
  goneWithTenant: [Vm],
  constraints: {
    vm_name_key: messageOf('vm.name_taken_meanwhile'),
    vm_pkey: messageOf('unmanaged_vm.row_exists'),
  },
} satisfies NounParts
