import { type ClusterReader } from '../../cluster/reader.ts'
import { type ClusterWatcher } from '../../cluster/watcher.ts'
import { type ClusterWriter } from '../../cluster/writer.ts'
import { reactions } from '../../engine/kube/cluster-error.ts'
import { type FaultCode } from '../../engine/model/fault.ts'
import { stepPoint } from '../../domain/operation/kind.ts'
import { type OperationKind } from '../../domain/nouns.ts'
import { type MachineStep, nextStep } from '../../domain/vm/next-step.ts'
import { ownVolumes, vmParts } from '../../domain/vm/parts.ts'
import { type SeenVm } from '../../domain/vm/seen.ts'
import { type Arrival, arrivalsIn } from '../../domain/vm/wish.ts'
import { atFailpoint } from '../../runtime/failpoint.ts'
import { type UnitParts, fencedUnits } from '../fenced-unit.ts'
import { isRefusal } from '../../engine/reconcile/outage.ts'
import {
  type Outcome,
  type Reconciler,
  done,
  atOnce,
  outOfTime,
} from '../../engine/reconcile/reconciler.ts'
import { isFilling, makeDisks, removeIso } from './vm-disks.ts'
import { putGuard } from '../vm-guard/vm-guard.ts'
import { type AskedGuard } from '../vm-guard/vm-guard-record.ts'
import { orderMachine } from './vm-power.ts'
import { foundOf } from './vm-found.ts'
import { glanceAt, isWired } from './vm-fast-path.ts'
import { bringBack } from './vm-restore.ts'
import * as vmRecord from './vm-record.ts'
import { type AskedVm, type MadeParts, type VmUnit, wishedOf } from './vm-record.ts'
import * as vmRewiring from './vm-rewiring.ts'
import { lastStep } from './vm-rewiring.ts'
import { type MachineSettings, wantedMachine, wantedSettings } from './vm-desired.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

export interface VmReconcilerParts extends UnitParts {
  cluster: { reader: ClusterReader; writer: ClusterWriter } & Pick<ClusterWatcher, 'recallVm'>
  /** The class of disks whose template names none; null is the cluster's own choice. */
  defaultClass: string | null
  settings: MachineSettings
  /**
   * Whether the cluster keeps what firmware and TPM of a machine remember; null while that is not
   * known.
   */
  keepsGuestState: () => boolean | null
  /**
   * Whether the cluster takes filters for networks other than its own; null while that is not
   * known.
   */
  takesFilters: () => boolean | null
  /** How soon to look again while the cluster is busy with what was asked. */
  waitMs?: number
}

/**
 * Keeps a machine as it was asked: made once, never silently made again, removed with everything
 * that was made for it.
 */
export function vmReconciler({
  store,
  work,
  waitMs = 500,
  ...parts
}: VmReconcilerParts): Reconciler {
  const { cluster } = parts
  const unitFor = fencedUnits({ store, work }, vmRecord.read)

  return {
    kind: 'vm',
    async reconcile(key, lease) {
      const unit = unitFor(key, lease)
      const glance = await unit((op, vm) => glanceAt(op, vm, parts))
      if (!glance) return done
      const { asked, hint, isDone, guard } = glance
      if (isDone) return lookedAt(asked, [])
      const taking = { ...parts, unit, asked, guard, waitMs }
      if (hint) return take(hint.step, { ...taking, seen: hint.seen })
      const seen = await cluster.reader.getVm(asked)
      return take(nextStep(asked, seen), { ...taking, seen })
    },
    gaveUp: (key, lease) => unitFor(key, lease)((op, vm) => vmRecord.fail(op, vm, outOfTime)),
  }
}

/**
 * A worker that was paused in the middle may wake and make something of a machine that is gone. A
 * machine and its disk are found by themselves; settings are not, for nobody may list secrets: so
 * there is one more look when the longest pause is over.
 */
const strayMs = 60_000

interface Taking extends Omit<VmReconcilerParts, 'store' | 'work'> {
  unit: VmUnit
  asked: AskedVm
  seen: SeenVm | null
  guard: AskedGuard | null
  waitMs: number
}

async function take(step: MachineStep, taking: Taking): Promise<Outcome> {
  const { unit, asked, seen, cluster, waitMs } = taking
  switch (step.do) {
    case 'make':
      return onceWired(taking, () => make(taking))
    case 'change':
      return onceWired(taking, () => change(taking))
    case 'powerOn':
      await unit((op, vm) => vmRecord.observe(op, vm, seen))
      await cluster.writer.powerVm(asked, 'start', { uid: step.uid, instanceUid: null })
      return { again: { afterMs: waitMs } }
    case 'order':
      await orderMachine(taking, step)
      return { again: { afterMs: waitMs } }
    case 'observe':
      return rest(taking)
    case 'removeMachine':
      await unit((op, vm) => vmRecord.observe(op, vm, seen))
      await atFailpoint(stepPoint('delete_vm', 'machine'), () =>
        cluster.writer.deleteObject('vm', asked, step.uid),
      )
      return { again: { afterMs: waitMs } }
    case 'wait':
      return { again: { afterMs: waitMs } }
    case 'removeParts':
      return removeParts(taking)
    case 'fail':
      return failed(taking, step)
  }
}

/** It is what it is to be, unless it is to be what it was. */
const rest = async (taking: Taking): Promise<Outcome> =>
  (await bringBack(taking)) ?? (await removeIso(taking)) ?? observe(taking)

/**
 * Writes down what was seen; where that is what was promised, it is the last step of the promise.
 * What is still promised has a deadline.
 */
async function observe(taking: Taking): Promise<Outcome> {
  const { unit, asked, waitMs } = taking
  const { open, spec } = asked
  const fills = await isFilling(taking)
  const seen =
    fills && taking.seen ? { ...taking.seen, printableStatus: 'Provisioning' } : taking.seen
  const found = foundOf(spec, seen, asked.now)
  const settled = vmRewiring.settledIn(asked.rewiring, found)
  const write = (): Promise<void> =>
    unit(async (op, vm) => {
      await vmRecord.observe(op, vm, seen)
      await vmRewiring.settle(op, vm, settled)
    })
  const rewired = settled.map(({ kind }): Arrival => ({ kind, step: lastStep[kind] }))
  const arrived = [...arrivalsIn(wishedOf(spec), found), ...rewired].filter(({ kind }) =>
    open.some((each) => each === kind),
  )
  const points = arrived.map(({ kind, step }) => stepPoint(kind, step))
  await points.reduce((act, point) => () => atFailpoint(point, act), write)()
  if (fills) return { again: { afterMs: waitMs } }
  return lookedAt(asked, arrived)
}

const lookedAt = ({ open }: AskedVm, arrived: readonly Arrival[]): Outcome =>
  arrived.length < open.length ? { again: { afterMs: patienceMs } } : done

/** So late may be noticed that a deadline has passed, where nothing happens in the cluster. */
const patienceMs = 5_000

async function onceWired(taking: Taking, act: () => Promise<Outcome>): Promise<Outcome> {
  if (!isWired(taking.asked)) return { again: { afterMs: taking.waitMs } }
  return orFailed(taking, act)
}

/** Its parts and then the machine: each may be there already. */
async function make(taking: Taking): Promise<Outcome> {
  const { asked, waitMs } = taking
  const { spec, volumesAreComing } = asked
  // Decided before anything is made, and never again: what a TPM has kept must not be lost, nor be
  // missed where it never was kept.
  const keepsGuestState =
    spec.keepsGuestState ?? (spec.osType === 'windows' ? taking.keepsGuestState() : false)
  if (keepsGuestState === null) return { again: { afterMs: waitMs } }
  const trouble = await makeParts(taking, keepsGuestState)
  if (trouble) return failed(taking, trouble)
  if (volumesAreComing) return { again: { afterMs: waitMs } }
  return applyMachine(taking, ['deploy_vm'])
}

/**
 * Guard, settings and disk. What came about is kept in one unit, also where the next did not;
 * answers why it can never be, or null.
 */
async function makeParts(
  taking: Taking,
  keepsGuestState: boolean,
): Promise<{ code: FaultCode; detail: Message } | null> {
  const { unit, asked, guard, cluster } = taking
  const { namespace, rowId, tenantId } = asked
  const parts: MadeParts = {}
  try {
    await atFailpoint(stepPoint('deploy_vm', 'guard'), async () => {
      if (guard)
        parts.guard = await putGuard(cluster.writer, { id: rowId, tenantId, namespace }, guard)
    })
    await atFailpoint(stepPoint('deploy_vm', 'settings'), async () => {
      const { uid } = await cluster.writer.applyObject(wantedSecret(asked, taking.settings))
      parts.settings = { secretUid: uid, keepsGuestState }
    })
    const disks = await atFailpoint(stepPoint('deploy_vm', 'disk'), () => makeDisks(taking))
    if ('trouble' in disks) return disks.trouble
    parts.disk = disks.made
    return null
  } finally {
    await unit((op, vm) => vmRecord.made(op, vm, parts))
  }
}

const kindsOfChange: readonly OperationKind[] = [
  'resize_vm',
  'attach_network',
  'detach_network',
  'eject_vm_iso',
  'start_vm',
  'stop_vm',
]

async function change(taking: Taking): Promise<Outcome> {
  const { asked, cluster, settings } = taking
  // What the guest is told of its networks at its next start follows its NICs.
  const isWired =
    asked.open.includes('detach_network') || asked.nics.some(({ kind }) => kind !== 'pod')
  if (isWired) await cluster.writer.applyObject(wantedSecret(asked, settings))
  return applyMachine(taking, kindsOfChange)
}

const wantedSecret = (asked: AskedVm, settings: MachineSettings) => {
  const { namespace, tenantId, rowId, secretUid: uid } = asked
  return {
    noun: 'secret',
    namespace,
    tenantId,
    rowId,
    name: vmParts.settings(rowId),
    uid,
    as: wantedSettings(asked, settings),
  } as const
}

async function applyMachine(
  { unit, asked, cluster, settings, waitMs }: Taking,
  kinds: readonly OperationKind[],
): Promise<Outcome> {
  const { namespace, name, rowId, tenantId, clusterUid, generation, open } = asked
  const apply = async (): Promise<void> => {
    const as = wantedMachine(asked, settings)
    const { uid } = await cluster.writer.applyObject({
      noun: 'vm',
      namespace,
      name,
      tenantId,
      rowId,
      uid: clusterUid,
      as,
    })
    await unit((op, vm) => vmRecord.applied(op, vm, { uid, generation }))
  }
  const points = open
    .filter((kind) => kinds.includes(kind))
    .map((kind) => stepPoint(kind, 'machine'))
  await points.reduce((act, point) => () => atFailpoint(point, act), apply)()
  return { again: { afterMs: waitMs } }
}

/**
 * What the cluster will never take fails at once; everything else is tried again until the
 * deadline.
 */
async function orFailed(taking: Taking, act: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await act()
  } catch (error) {
    if (!isRefusal(error)) throw error
    const detail = refusals[error.trouble] ?? messageOf('vm.make_refused')
    return failed(taking, { code: reactions[error.trouble].fault, detail })
  }
}

async function failed(
  { unit, asked }: Taking,
  why: { code: FaultCode; detail: Message },
): Promise<Outcome> {
  await unit((op, vm) => vmRecord.fail(op, vm, why))
  // What could not be made is taken away; what exists stays as it is, and would be refused again.
  return asked.clusterUid === null ? atOnce : done
}

const refusals: Readonly<Record<string, Message>> = {
  name_taken: messageOf('vm.name_in_use'),
  quota_exceeded: messageOf('vm.no_room'),
  namespace_terminating: messageOf('tenant.deleting_now'),
}

/**
 * The machine is not there any more: its disk and its settings follow, and when they are gone as
 * well so is the row.
 */
async function removeParts({ unit, asked, cluster, waitMs }: Taking): Promise<Outcome> {
  const { rowId } = asked
  const remove = async (
    noun: 'dataVolume' | 'networkPolicy' | 'secret',
    name: string,
  ): Promise<boolean> => {
    const place = { namespace: asked.namespace, name }
    const part = await cluster.reader.getObject(noun, place)
    if (part?.rowId !== rowId) return true
    return (await cluster.writer.deleteObject(noun, place, part.uid)) === 'gone'
  }
  await unit((op, vm) => vmRecord.removed(op, vm, 'machine'))
  const gone = await atFailpoint(stepPoint('delete_vm', 'disk'), async () => {
    const disks = ownVolumes(rowId, { hasIso: Boolean(asked.spec.isoClaim) })
    const parts = [
      remove('secret', vmParts.settings(rowId)),
      remove('networkPolicy', vmParts.guard(rowId)),
    ]
    const all = [...disks.map((name) => remove('dataVolume', name)), ...parts]
    return (await Promise.all(all)).every(Boolean)
  })
  if (!gone) return { again: { afterMs: waitMs } }
  await unit((op, vm) => vmRecord.removed(op, vm, 'disk'))
  if (asked.goneForMs === null)
    await atFailpoint(stepPoint('delete_vm', 'gone'), () => unit(vmRecord.erase))
  const leftMs = strayMs - (asked.goneForMs ?? 0)
  return leftMs > 0 ? { again: { afterMs: leftMs } } : done
}
