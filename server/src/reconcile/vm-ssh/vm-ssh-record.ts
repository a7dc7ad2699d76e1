import { type OperationKind } from '../../domain/nouns.ts'
import { type VmSshRefusal, sshRefusalSentence } from '../../domain/vm-ssh/explain.ts'
import { type Op } from '../../store/op.ts'
import { outOfTime } from '../../engine/reconcile/reconciler.ts'
import { OpenOperations } from '../open-operations.ts'

/*
 * The database reads and writes of the reconciler of SSH access.
 */

type VmRow = NonNullable<Awaited<ReturnType<Op['vms']['row']>>>
type Row = NonNullable<Awaited<ReturnType<Op['vmSsh']['row']>>>
type Kind = Extract<OperationKind, 'expose_vm_ssh' | 'unexpose_vm_ssh'>

export interface SshTarget extends Row {
  id: string
  tenantId: string
  /** The kind of the open operation; null when there is none. */
  open: Kind | null
}

/**
 * Loads the desired SSH access. When operations of both kinds are open, the newer one supersedes
 * the other.
 */
export async function loadDesired(op: Op, vm: VmRow | null): Promise<SshTarget | null> {
  const row = vm && (await op.vmSsh.row(vm.id))
  if (!row) return null
  const operations = await OpenOperations.on(op, { kind: 'vm', id: vm.id })
  const [desiredKind, otherKind]: [Kind, Kind] = row.exposed
    ? ['expose_vm_ssh', 'unexpose_vm_ssh']
    : ['unexpose_vm_ssh', 'expose_vm_ssh']
  operations.supersede(otherKind, desiredKind)
  operations.begin(desiredKind, 'port')
  return {
    ...row,
    id: vm.id,
    tenantId: vm.tenantId,
    open: operations.isOpen(desiredKind) ? desiredKind : null,
  }
}

interface Opened {
  uid: string
  version: string
  nodePort: number | null
}

/** Records the port that the cluster allocated. */
export async function opened(
  op: Op,
  vm: VmRow | null,
  { uid, version, nodePort }: Opened,
): Promise<void> {
  if (!vm) return
  await op.vmSsh.remember(vm.id, { serviceUid: uid, serviceVersion: version, nodePort })
  const operations = await OpenOperations.on(op, { kind: 'vm', id: vm.id })
  operations.finish('expose_vm_ssh', 'port')
}

interface Pointed {
  generation: number
  address: string | null
  slice: { uid: string; version: string } | null
}

/** Records the address to which the port leads; null while the VM has none. */
export async function addressApplied(
  op: Op,
  vm: VmRow | null,
  { generation, address, slice }: Pointed,
): Promise<void> {
  if (!vm) return
  await op.vmSsh.remember(vm.id, {
    address,
    sliceUid: slice?.uid ?? null,
    sliceVersion: slice?.version ?? null,
    appliedGeneration: generation,
    refusal: null,
  })
  await end(op, vm, { generation, kind: 'expose_vm_ssh' })
}

/** Records that SSH access is closed. */
export async function closed(op: Op, vm: VmRow | null, generation: number): Promise<void> {
  if (!vm) return
  const cleared = {
    serviceUid: null,
    serviceVersion: null,
    sliceUid: null,
    sliceVersion: null,
    nodePort: null,
    address: null,
  }
  await op.vmSsh.remember(vm.id, { ...cleared, appliedGeneration: generation, refusal: null })
  await end(op, vm, { generation, kind: 'unexpose_vm_ssh' })
}

async function end(
  op: Op,
  vm: VmRow,
  { generation, kind }: { generation: number; kind: Kind },
): Promise<void> {
  touchVm(op, vm)
  const row = await op.vmSsh.row(vm.id)
  // A newer change is applied next, and that ends the operation.
  if (!row || generation < row.generation) return
  const operations = await OpenOperations.on(op, { kind: 'vm', id: vm.id })
  operations.complete(kind)
}

interface Refused {
  generation: number
  refusal: VmSshRefusal
  wantedNodePort: number | null
}

/** Records that the cluster refuses the desired port. The previous access stays. */
export async function refused(
  op: Op,
  vm: VmRow | null,
  { generation, refusal, wantedNodePort }: Refused,
): Promise<void> {
  if (!vm) return
  await op.vmSsh.remember(vm.id, { refusedGeneration: generation, refusal })
  touchVm(op, vm)
  const operations = await OpenOperations.on(op, { kind: 'vm', id: vm.id })
  const code = refusal === 'port_taken' ? 'conflict' : 'platform_error'
  operations.failKind('expose_vm_ssh', {
    code,
    detail: sshRefusalSentence(refusal, wantedNodePort),
  })
}

/** Fails what a user waits for, because no pass will end it. */
export async function gaveUp(op: Op, vm: VmRow | null): Promise<void> {
  if (!vm) return
  const operations = await OpenOperations.on(op, { kind: 'vm', id: vm.id })
  operations.failKind('expose_vm_ssh', outOfTime)
  operations.failKind('unexpose_vm_ssh', outOfTime)
}

/** Records a change of the VM, so that its subscribers read it again. */
function touchVm(op: Op, vm: VmRow): void {
  if (vm.goneAt) return
  op.vms.touch(vm)
  op.changes.record('vm', { id: vm.id, version: vm.version + 1, tenantId: vm.tenantId })
}
