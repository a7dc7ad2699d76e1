import { type Op } from '../../store/op.ts'
import { enqueueSsh, operationsOn, recordChange } from './vm-record.ts'
import { type VmRow } from './vm-status.ts'

/* Records the steps by which a VM disappears from the cluster. */

export async function removed(op: Op, vm: VmRow | null, step: 'vm' | 'disk'): Promise<void> {
  if (!vm || vm.goneAt) return
  const operations = await operationsOn(op, vm)
  operations.finish('delete_vm', step)
  if (step === 'vm') await enqueueSsh(op, vm)
}

export async function erase(op: Op, vm: VmRow | null): Promise<void> {
  if (!vm || vm.goneAt) return
  const operations = await operationsOn(op, vm)
  operations.finish('delete_vm', 'gone')
  operations.succeed('delete_vm')
  op.vms.erase(vm)
  recordChange(op, vm)
  // The volumes that this VM held are enqueued, so that waiting operations do not wait for the next
  // full pass.
  for (const volume of await op.reads.volumes.heldBy(vm.id)) op.work.enqueue('volume', volume)
  await enqueueAffectedFirewalls(op, vm)
}

/**
 * Enqueues the firewalls that may allow the addresses of this VM, because another VM will get these
 * addresses.
 */
async function enqueueAffectedFirewalls(op: Op, vm: VmRow): Promise<void> {
  const hasAddresses = (await op.nics.ofVm(vm.id)).some(({ networkId }) => networkId !== null)
  if (!hasAddresses) return
  for (const affected of await op.vmFirewalls.incrementForPeersOf(vm))
    op.work.enqueue('vm_firewall', affected)
}
