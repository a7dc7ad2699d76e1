import { type OperationKind } from '../../domain/nouns.ts'
import { type VmSshRefusal, sshRefusalSentence } from '../../domain/vm-ssh/explain.ts'
import { type Op } from '../../store/op.ts'
import { Promises } from '../promise.ts'

type VmRow = NonNullable<Awaited<ReturnType<Op['vms']['row']>>>
type Row = NonNullable<Awaited<ReturnType<Op['vmSsh']['row']>>>
type Kind = Extract<OperationKind, 'expose_vm_ssh' | 'unexpose_vm_ssh'>

export interface AskedSsh extends Row {
  id: string
  tenantId: string
  /** What is promised of it; null while nothing is. */
  open: Kind | null
}

/** What is to lead to the machine now; of two promises the newer counts. */
export async function askedOf(op: Op, vm: VmRow | null): Promise<AskedSsh | null> {
  const row = vm && (await op.vmSsh.row(vm.id))
  if (!row) return null
  const promises = await Promises.on(op, { kind: 'vm', id: vm.id })
  const [wanted, other]: [Kind, Kind] = row.exposed
    ? ['expose_vm_ssh', 'unexpose_vm_ssh']
    : ['unexpose_vm_ssh', 'expose_vm_ssh']
  promises.supersede(other, wanted)
  promises.begin(wanted, 'port')
  return { ...row, id: vm.id, tenantId: vm.tenantId, open: promises.isOpen(wanted) ? wanted : null }
}

interface Opened {
  uid: string
  version: string
  nodePort: number | null
}

/** The cluster has a port for it. */
export async function opened(
  op: Op,
  vm: VmRow | null,
  { uid, version, nodePort }: Opened,
): Promise<void> {
  if (!vm) return
  await op.vmSsh.remember(vm.id, { serviceUid: uid, serviceVersion: version, nodePort })
  const promises = await Promises.on(op, { kind: 'vm', id: vm.id })
  promises.finish('expose_vm_ssh', 'port')
}

interface Pointed {
  generation: number
  address: string | null
  slice: { uid: string; version: string } | null
}

/** The port leads where the machine is, or nowhere while it is nowhere. */
export async function pointed(
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

/** Nothing leads to the machine any more. */
export async function closed(op: Op, vm: VmRow | null, generation: number): Promise<void> {
  if (!vm) return
  const nothing = {
    serviceUid: null,
    serviceVersion: null,
    sliceUid: null,
    sliceVersion: null,
    nodePort: null,
    address: null,
  }
  await op.vmSsh.remember(vm.id, { ...nothing, appliedGeneration: generation, refusal: null })
  await end(op, vm, { generation, kind: 'unexpose_vm_ssh' })
}

async function end(
  op: Op,
  vm: VmRow,
  { generation, kind }: { generation: number; kind: Kind },
): Promise<void> {
  tell(op, vm)
  const row = await op.vmSsh.row(vm.id)
  // More was asked while this was told; that is told next, and only then is it all.
  if (!row || generation < row.generation) return
  const promises = await Promises.on(op, { kind: 'vm', id: vm.id })
  promises.complete(kind)
}

interface Refused {
  generation: number
  refusal: VmSshRefusal
  wantedNodePort: number | null
}

/** The cluster will not do it as it is asked; what there was before stays. */
export async function refused(
  op: Op,
  vm: VmRow | null,
  { generation, refusal, wantedNodePort }: Refused,
): Promise<void> {
  if (!vm) return
  await op.vmSsh.remember(vm.id, { refusedGeneration: generation, refusal })
  tell(op, vm)
  const promises = await Promises.on(op, { kind: 'vm', id: vm.id })
  const code = refusal === 'port_taken' ? 'conflict' : 'platform_error'
  promises.refuse('expose_vm_ssh', { code, detail: sshRefusalSentence(refusal, wantedNodePort) })
}

/** Whoever follows the machine looks again. */
function tell(op: Op, vm: VmRow): void {
  if (vm.goneAt) return
  op.vms.touch(vm)
  op.changes.note('vm', { id: vm.id, version: vm.version + 1, tenantId: vm.tenantId })
}
