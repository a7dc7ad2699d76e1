import { type ClusterReader } from '../../cluster/reader.ts'
import { type ClusterWatcher } from '../../cluster/watcher.ts'
import { type ClusterWriter } from '../../cluster/writer.ts'
import { type FaultCode } from '../../engine/model/fault.ts'
import { stepFailpoint } from '../../domain/operation/kind.ts'
import { type OperationKind } from '../../domain/nouns.ts'
import { type VmStep, nextStep } from '../../domain/vm/next-step.ts'
import { vmObjectNames } from '../../domain/vm/object-names.ts'
import { type ObservedVm } from '../../domain/vm/observed.ts'
import { type CompletedOperation, completedOperations } from '../../domain/vm/vmi-command.ts'
import { atFailpoint } from '../../runtime/failpoint.ts'
import { askDeadlineAfter } from '../ask-deadline.ts'
import { readIfServed } from '../obstacle.ts'
import { refusedWrite } from '../refused-write.ts'
import { type UnitParts, fencedUnits } from '../fenced-unit.ts'
import { isFinalRefusal } from '../../engine/reconcile/outage.ts'
import {
  type Outcome,
  type Reconciler,
  done,
  outOfTime,
  waiting,
} from '../../engine/reconcile/reconciler.ts'
import { isFilling, createDisks, removeIso } from './vm-disks.ts'
import { type FirewallSettings } from '../vm-firewall/firewall-settings.ts'
import { applyFirewall } from '../vm-firewall/vm-firewall.ts'
import { type FirewallTarget } from '../vm-firewall/vm-firewall-record.ts'
import { sendPowerCommand } from './vm-power.ts'
import { statusOf } from './vm-status.ts'
import { tryFastPath, areNetworksReady } from './vm-fast-path.ts'
import { restoreVm } from './vm-restore.ts'
import * as vmRecord from './vm-record.ts'
import { type CreatedParts } from './created-parts.ts'
import { type VmTarget, type VmUnit, desiredPowerOf } from './vm-record.ts'
import * as vmRemoval from './vm-removal-record.ts'
import * as vmRewiring from './vm-rewiring.ts'
import { lastStep } from './vm-rewiring.ts'
import { type VmSettings, desiredSettings, vmObjectOf } from './vm-desired.ts'
import {
  adoptDisk,
  adoptionObserved,
  adoptedSecret,
  isOff,
  mustBeOff,
  notOff,
  volumesToRemove,
} from './vm-adoption.ts'
import { compareIfChanged, recordApply, recordComparison } from './vm-drift.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

export interface VmReconcilerParts extends UnitParts {
  cluster: { reader: ClusterReader; writer: ClusterWriter } & Pick<ClusterWatcher, 'getCachedVm'>
  /** The storage class of disks whose template names none. Null lets the cluster choose. */
  defaultClass: string | null
  settings: VmSettings
  /** True when the cluster stores the firmware and TPM state of VMs; null while that is unknown. */
  keepsGuestState: () => boolean | null
  firewallSettings: () => FirewallSettings | null
  /** The delay between checks while the cluster carries out a change. */
  waitMs?: number
}

/**
 * Keeps a VM in the desired state. It is created once, is never silently recreated, and is deleted
 * together with everything that was created for it.
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
      const result = await unit((op, vm) => tryFastPath(op, vm, parts))
      if (!result) return done
      const { desired, hint, isDone, firewall } = result
      const context = { ...parts, unit, desired, firewall, waitMs }
      return askDeadlineAfter({
        lease,
        needsReview: desired.needsReview,
        expire: (attendance) => unit((op, vm) => vmRecord.expire(op, vm, attendance)),
        block: (obstacle) => unit((op, vm) => vmRecord.block(op, vm, obstacle)),
        async act() {
          if (isDone) return outcomeAfter(desired, [])
          if (hint) return take(hint.step, { ...context, observed: hint.observed })
          const read = () => cluster.reader.getVm(desired)
          const isNeverCreated = desired.isLeaving && desired.clusterUid === null
          const observed = isNeverCreated ? await readIfServed(read) : await read()
          return take(nextStep(desired, observed), { ...context, observed })
        },
      })
    },
    gaveUp: (key, lease) => unitFor(key, lease)((op, vm) => vmRecord.fail(op, vm, outOfTime)),
  }
}

/**
 * A worker that was paused in the middle may continue and create parts of a gone VM. A leftover VM
 * or disk is found by the watch, but a Secret is not, because Berth may not list Secrets. One more
 * pass therefore runs when the longest pause is over.
 */
const longestPauseMs = 60_000

interface ReconcileContext extends Omit<VmReconcilerParts, 'store' | 'work'> {
  unit: VmUnit
  desired: VmTarget
  observed: ObservedVm | null
  firewall: FirewallTarget | null
  waitMs: number
}

async function take(step: VmStep, context: ReconcileContext): Promise<Outcome> {
  if (isWrite(step)) return onceNetworksReady(context, () => writes[step.do](context))
  const { unit, desired, observed, cluster, waitMs } = context
  switch (step.do) {
    case 'powerOn':
      await unit((op, vm) => vmRecord.observe(op, vm, observed))
      await cluster.writer.powerVm(desired, 'start', { uid: step.uid, instanceUid: null })
      return { again: { afterMs: waitMs } }
    case 'order':
      await sendPowerCommand(context, step)
      return { again: { afterMs: waitMs } }
    case 'observe':
      return settle(context)
    case 'removeVm':
      await unit((op, vm) => vmRecord.observe(op, vm, observed))
      await atFailpoint(stepFailpoint('delete_vm', 'vm'), () =>
        cluster.writer.deleteObject('vm', desired, step.uid),
      )
      return { again: { afterMs: waitMs } }
    case 'wait':
      return waiting(waitMs)
    case 'removeParts':
      return removeParts(context)
    case 'fail':
      return failed(context, step)
  }
}

/**
 * The VM matches its spec. A pending restore or removal of an ISO continues; otherwise the status
 * is recorded.
 */
async function settle(context: ReconcileContext): Promise<Outcome> {
  const { unit, desired } = context
  if (desired.clusterUid !== null)
    return (await restoreVm(context)) ?? (await removeIso(context)) ?? observe(context)
  // The VM could not be created, and the observed object with its name belongs to another owner.
  await unit((op, vm) => vmRecord.observe(op, vm, null))
  return outcomeAfter(desired, [])
}

/**
 * Records the status. When that completes an operation, it is the last step of the operation.
 * Operations that stay open have a deadline.
 */
async function observe(context: ReconcileContext): Promise<Outcome> {
  const { unit, desired, waitMs } = context
  const { open, spec } = desired
  const isFillingDisks = await isFilling(context)
  const observed =
    isFillingDisks && context.observed
      ? { ...context.observed, printableStatus: 'Provisioning' }
      : context.observed
  const status = statusOf(spec, observed, desired.now)
  const settled = vmRewiring.settledOperations(desired.rewiring, status)
  const comparison = await compareIfChanged(context)
  const { generation } = desired
  const write = (): Promise<void> =>
    unit(async (op, vm) => {
      recordComparison(op, vm, { comparison, generation })
      await vmRecord.observe(op, vm, observed)
      await vmRewiring.settle(op, vm, settled)
    })
  const rewired = settled.map(({ kind }): CompletedOperation => ({ kind, step: lastStep[kind] }))
  const completed = completedOperations(desiredPowerOf(spec), status)
  const arrived = [...completed, ...rewired, adoptionObserved].filter(({ kind }) =>
    open.some((each) => each === kind),
  )
  const points = arrived.map(({ kind, step }) => stepFailpoint(kind, step))
  await points.reduce((act, point) => () => atFailpoint(point, act), write)()
  if (isFillingDisks) return waiting(waitMs)
  return outcomeAfter(desired, arrived)
}

const outcomeAfter = ({ open }: VmTarget, arrived: readonly CompletedOperation[]): Outcome =>
  arrived.length < open.length ? waiting(deadlineCheckMs) : done

/** The interval at which deadlines are checked when no event arrives from the cluster. */
const deadlineCheckMs = 5_000

async function onceNetworksReady(
  context: ReconcileContext,
  act: () => Promise<Outcome>,
): Promise<Outcome> {
  if (!areNetworksReady(context.desired)) return waiting(context.waitMs)
  return orFailed(context, act)
}

/** Creates the parts and then the VM. Each of them may exist already. */
async function create(context: ReconcileContext): Promise<Outcome> {
  const { desired, waitMs } = context
  const { spec, volumesAreComing } = desired
  // Decided before the first part is created, and never again: a stored TPM state must not be lost,
  // and must not be expected where none was stored.
  const keepsGuestState =
    spec.keepsGuestState ?? (spec.osType === 'windows' ? context.keepsGuestState() : false)
  if (keepsGuestState === null) return waiting(waitMs)
  const trouble = await createParts(context, { kind: 'deploy_vm', keepsGuestState })
  if (trouble) return failed(context, trouble)
  if (volumesAreComing) return waiting(waitMs)
  return applyVm(context, ['deploy_vm'])
}

const writes = { make: create, adopt, change } as const

const isWrite = (step: VmStep): step is VmStep & { do: keyof typeof writes } => step.do in writes

/** Makes an existing VM object one of Berth. Its guest keeps running. */
async function adopt(context: ReconcileContext): Promise<Outcome> {
  const { desired, observed } = context
  if (observed && mustBeOff(desired) && !isOff(observed)) return failed(context, notOff)
  const keepsGuestState = desired.spec.keepsGuestState ?? false
  const trouble = await createParts(context, { kind: 'adopt_vm', keepsGuestState })
  return trouble ? failed(context, trouble) : applyVm(context, ['adopt_vm'])
}

/**
 * Creates firewall, settings and disk. The created parts are recorded in one unit, even when a
 * later part fails. Returns the reason when a part can never be created.
 */
async function createParts(
  context: ReconcileContext,
  { kind, keepsGuestState }: { kind: 'deploy_vm' | 'adopt_vm'; keepsGuestState: boolean },
): Promise<{ code: FaultCode; detail: Message } | null> {
  const { unit, desired, firewall, cluster } = context
  const { namespace, rowId, tenantId } = desired
  const parts: CreatedParts = {}
  try {
    await atFailpoint(stepFailpoint(kind, 'firewall'), async () => {
      if (firewall)
        parts.firewall = await applyFirewall(
          cluster.writer,
          { id: rowId, tenantId, namespace },
          firewall,
        )
    })
    await atFailpoint(stepFailpoint(kind, 'settings'), async () => {
      const adopted = await adoptedSecret(context)
      const { uid } =
        adopted ?? (await cluster.writer.applyObject(desiredSecret(desired, context.settings)))
      parts.settings = { secretUid: uid, keepsGuestState }
      if (adopted?.userData) parts.userData = adopted.userData
    })
    const disks = await atFailpoint(stepFailpoint(kind, 'disk'), () =>
      kind === 'adopt_vm' ? adoptDisk(context) : createDisks(context),
    )
    if ('trouble' in disks) return disks.trouble
    parts.disk = disks.made
    return null
  } finally {
    await unit((op, vm) => vmRecord.partsCreated(op, vm, parts))
  }
}

const kindsOfChange: readonly OperationKind[] = [
  'resize_vm',
  'attach_network',
  'detach_network',
  'eject_vm_iso',
  'resolve_vm_drift',
  'start_vm',
  'stop_vm',
]

async function change(context: ReconcileContext): Promise<Outcome> {
  const { desired, cluster, settings } = context
  // The network configuration for the next start follows the NICs.
  const hasNetworkConfig =
    desired.open.includes('detach_network') || desired.nics.some(({ kind }) => kind !== 'pod')
  if (hasNetworkConfig) await cluster.writer.applyObject(desiredSecret(desired, settings))
  return applyVm(context, kindsOfChange)
}

const desiredSecret = (desired: VmTarget, settings: VmSettings) => {
  const { namespace, tenantId, rowId, secretUid: uid } = desired
  return {
    noun: 'secret',
    namespace,
    tenantId,
    rowId,
    name: vmObjectNames.settings(rowId),
    uid,
    spec: desiredSettings(desired, settings),
  } as const
}

async function applyVm(
  { unit, desired, cluster, settings, waitMs }: ReconcileContext,
  kinds: readonly OperationKind[],
): Promise<Outcome> {
  const { generation, open } = desired
  const apply = async (): Promise<void> => {
    const object = vmObjectOf(desired, settings)
    if (open.includes('resolve_vm_drift')) await cluster.writer.removeForeignParts(object)
    if (mustBeOff(desired)) await cluster.writer.removeAllParts(object)
    const applied = await cluster.writer.applyObject(object)
    await unit(async (op, vm) => {
      if (vm) recordApply(op, vm, applied.generation)
      await vmRecord.applied(op, vm, { uid: applied.uid, generation })
    })
  }
  const points = open
    .filter((kind) => kinds.includes(kind))
    .map((kind) => stepFailpoint(kind, 'vm'))
  await points.reduce((act, point) => () => atFailpoint(point, act), apply)()
  return { again: { afterMs: waitMs } }
}

/**
 * Fails the VM when the cluster will never accept the change. All other errors are retried until
 * the deadline.
 */
async function orFailed(context: ReconcileContext, act: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await act()
  } catch (error) {
    if (!isFinalRefusal(error)) throw error
    const refused = messageOf(
      context.desired.clusterUid === null ? 'vm.make_refused' : 'vm.change_refused',
    )
    return failed(context, refusedWrite(error, refused, ownSentences))
  }
}

async function failed(
  { unit }: ReconcileContext,
  why: { code: FaultCode; detail: Message },
): Promise<Outcome> {
  await unit((op, vm) => vmRecord.fail(op, vm, why))
  // Another attempt would be refused again. A retry of the deploy or a change starts the next one.
  return done
}

const ownSentences = {
  name_taken: messageOf('vm.name_in_use'),
  quota_exceeded: messageOf('vm.no_room'),
}

/**
 * Deletes disks, firewall and settings after the VM object is gone. The row is marked as gone when
 * they are gone as well. Kubernetes deletes a claim after its DataVolume, once no pod uses it.
 */
async function removeParts({ unit, desired, cluster, waitMs }: ReconcileContext): Promise<Outcome> {
  const { rowId, diskUid, isoUid } = desired
  const hasDisks = diskUid !== null || isoUid !== null
  const remove = async (
    noun: 'dataVolume' | 'networkPolicy' | 'secret',
    name: string,
    { isNeverCreated = false } = {},
  ): Promise<boolean> => {
    const reference = { namespace: desired.namespace, name }
    const read = () => cluster.reader.getObject(noun, reference)
    const part = isNeverCreated ? await readIfServed(read) : await read()
    if (part?.rowId !== rowId) return true
    return (await cluster.writer.deleteObject(noun, reference, part.uid)) === 'gone'
  }
  const removeDisk = async (name: string): Promise<boolean> => {
    if (!(await remove('dataVolume', name, { isNeverCreated: !hasDisks }))) return false
    const claim = await cluster.reader.getClaim({ namespace: desired.namespace, name })
    return claim?.rowId !== rowId
  }
  await unit((op, vm) => vmRemoval.removed(op, vm, 'vm'))
  const gone = await atFailpoint(stepFailpoint('delete_vm', 'disk'), async () => {
    const disks = volumesToRemove(desired)
    const parts = [
      remove('secret', vmObjectNames.settings(rowId)),
      remove('networkPolicy', vmObjectNames.firewall(rowId)),
    ]
    const all = [...disks.map(removeDisk), ...parts]
    return (await Promise.all(all)).every(Boolean)
  })
  if (!gone) return waiting(waitMs)
  await unit((op, vm) => vmRemoval.removed(op, vm, 'disk'))
  if (desired.goneForMs === null)
    await atFailpoint(stepFailpoint('delete_vm', 'gone'), () => unit(vmRemoval.erase))
  const leftMs = longestPauseMs - (desired.goneForMs ?? 0)
  return leftMs > 0 ? { again: { afterMs: leftMs } } : done
}
