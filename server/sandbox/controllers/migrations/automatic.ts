import { nameSuffix } from '../../objects/name-suffix.ts'
import { ApiError } from '../../objects/status.ts'
import { type Json, type KubeObject } from '../../objects/types.ts'
import { type Controller, ownKey } from '../controller.ts'
import { type Desk } from '../desk.ts'
import { isDeleted } from '../holds.ts'
import { read } from '../../objects/read.ts'
import { indexed } from '../store-index.ts'
import { conditionOf, isTrue } from '../../objects/vms/conditions.ts'
import { vmiKind } from '../../objects/vms/kinds.ts'
import { phaseOf } from '../../objects/vms/phase.ts'
import { migrations } from './queueing.ts'
import { configuration, migrationKind } from '../../objects/migrations/names.ts'
import { isFinalMigration, isMigrating, migrationStateOf } from '../../objects/migrations/state.ts'

/*
 * Migrations that the cluster starts itself: away from a drained node, and to apply hotplugged
 * CPUs, memory and NICs.
 */

const lookAgainMs = 2_000

const instancesOn = indexed(vmiKind, (vmi) =>
  [read.text(read.status(vmi).nodeName)].filter((name) => name !== ''),
)

const isUnderWay = (desk: Desk, { metadata }: KubeObject): boolean =>
  migrations
    .of(desk, `${metadata.namespace}/${metadata.name}`)
    .some((each) => !isFinalMigration(each))

const mayMove = (desk: Desk, vmi: KubeObject): boolean =>
  phaseOf(vmi) === 'Running' &&
  !isDeleted(vmi) &&
  !isMigrating(vmi) &&
  isTrue(vmi, 'LiveMigratable') &&
  !isUnderWay(desk, vmi)

interface Order {
  prefix: string
  annotation: Record<string, string>
  priority: string
  /** Text after the migration's name in the event. */
  purpose: string
}

function order(
  desk: Desk,
  vmi: KubeObject,
  { prefix, annotation, priority, purpose }: Order,
): void {
  const { namespace = '', name } = vmi.metadata
  try {
    const made = desk.create(migrationKind, {
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachineInstanceMigration',
      metadata: {
        name: `${prefix}${nameSuffix()}`,
        generateName: prefix,
        namespace,
        annotations: annotation,
      },
      spec: { vmiName: name, priority },
    })
    desk.record(vmi, {
      type: 'Normal',
      reason: 'SuccessfulCreate',
      message: `Created Migration ${made.metadata.name}${purpose}`,
    })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const doing = purpose === '' ? '' : purpose
    desk.record(vmi, {
      type: 'Warning',
      reason: 'FailedCreate',
      message: `Error creating a Migration${doing}: ${error.message}`,
    })
  }
}

/** Migrates VMIs away from a node that is being drained, and VMIs whose pods were evicted. */
export const evacuation: Controller = {
  name: 'disruptionbudget-controller',
  sources: [
    { kind: vmiKind, keysOf: ownKey },
    {
      kind: 'nodes',
      keysOf: ({ metadata: { name } }, desk) => instancesOn(desk, name).flatMap(ownKey),
    },
  ],
  reconcile(desk, { namespace, name }) {
    const vmi = desk.get(vmiKind, namespace, name)
    if (!vmi || !mustLeave(desk, vmi)) return undefined
    const node = read.text(read.status(vmi).nodeName)
    const annotation = { 'kubevirt.io/evacuationMigration': node }
    if (mayMove(desk, vmi))
      order(desk, vmi, {
        prefix: 'kubevirt-evacuation-',
        annotation,
        priority: 'system-critical',
        purpose: '',
      })
    return lookAgainMs
  },
}

function mustLeave(desk: Desk, vmi: KubeObject): boolean {
  const { nodeName, evacuationNodeName } = read.status(vmi)
  if (nodeName === undefined || isDeleted(vmi)) return false
  // VMIs with another eviction strategy are only marked; an external controller migrates them.
  if (!['LiveMigrate', 'LiveMigrateIfPossible'].includes(read.text(strategyOf(desk, vmi))))
    return false
  if (evacuationNodeName === nodeName) return true
  const node = desk.get('nodes', undefined, read.text(nodeName))
  return read
    .maps(node && read.spec(node).taints)
    .some(({ key, effect }) => key === configuration.nodeDrainTaintKey && effect === 'NoSchedule')
}

const strategyOf = (desk: Desk, vmi: KubeObject): Json | undefined =>
  read.spec(vmi).evictionStrategy ??
  read.at(desk.list('kubevirts.kubevirt.io')[0]?.spec, 'configuration', 'evictionStrategy')

/** Migrates VMIs with hotplugged CPUs, memory or NICs, which reach the guest on the target node. */
export const workloadUpdates: Controller = {
  name: 'virt-controller',
  sources: [
    {
      kind: vmiKind,
      keysOf: (vmi, desk) =>
        isChanging(vmi) || workloadUpdatesOf(desk, vmi).length > 0 ? ownKey(vmi) : [],
    },
  ],
  reconcile(desk, { namespace, name }) {
    const vmi = desk.get(vmiKind, namespace, name)
    if (!vmi) return undefined
    if (!isChanging(vmi)) return abort(desk, vmi)
    const annotation = { [updateMark]: '' }
    const purpose = ' for automated workload update'
    if (mayUpdate(desk) && mayMove(desk, vmi))
      order(desk, vmi, {
        prefix: 'kubevirt-workload-update-',
        annotation,
        priority: 'user-triggered',
        purpose,
      })
    return lookAgainMs
  },
}

const updateMark = 'kubevirt.io/workloadUpdateMigration'

/** True when the KubeVirt configuration allows workload updates by migration. */
const mayUpdate = (desk: Desk): boolean =>
  read
    .texts(
      read.at(
        desk.list('kubevirts.kubevirt.io')[0]?.spec,
        'workloadUpdateStrategy',
        'workloadUpdateMethods',
      ),
    )
    .includes('LiveMigrate')

const workloadUpdatesOf = (desk: Desk, { metadata }: KubeObject): KubeObject[] =>
  migrations
    .of(desk, `${metadata.namespace}/${metadata.name}`)
    .filter(
      (each) => !isFinalMigration(each) && each.metadata.annotations?.[updateMark] !== undefined,
    )

/**
 * Cancels workload update migrations that are no longer needed. As in KubeVirt, none is cancelled
 * after an earlier migration has completed.
 */
function abort(desk: Desk, vmi: KubeObject): undefined {
  if (migrationStateOf(vmi).targetNodeDomainReadyTimestamp !== undefined) return
  for (const migration of workloadUpdatesOf(desk, vmi))
    if (!isDeleted(migration)) desk.remove(migrationKind, migration)
}

const isChanging = (vmi: KubeObject): boolean =>
  conditionOf(vmi, 'HotVCPUChange') !== undefined ||
  isTrue(vmi, 'HotMemoryChange') ||
  isTrue(vmi, 'MigrationRequired')
