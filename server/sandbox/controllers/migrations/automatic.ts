import { nameSuffix } from '../../objects/name-suffix.ts'
import { ApiError } from '../../objects/status.ts'
import { type Json, type KubeObject } from '../../objects/types.ts'
import { type Controller, ownKey } from '../controller.ts'
import { type Client } from '../client.ts'
import { isDeleted } from '../finalizers.ts'
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

const recheckMs = 2_000

const instancesOn = indexed(vmiKind, (vmi) =>
  [read.text(read.status(vmi).nodeName)].filter((name) => name !== ''),
)

const isUnderWay = (client: Client, { metadata }: KubeObject): boolean =>
  migrations
    .of(client, `${metadata.namespace}/${metadata.name}`)
    .some((each) => !isFinalMigration(each))

const canMigrate = (client: Client, vmi: KubeObject): boolean =>
  phaseOf(vmi) === 'Running' &&
  !isDeleted(vmi) &&
  !isMigrating(vmi) &&
  isTrue(vmi, 'LiveMigratable') &&
  !isUnderWay(client, vmi)

interface MigrationRequest {
  prefix: string
  annotation: Record<string, string>
  priority: string
  /** Text after the migration's name in the event. */
  purpose: string
}

function startMigration(
  client: Client,
  vmi: KubeObject,
  { prefix, annotation, priority, purpose }: MigrationRequest,
): void {
  const { namespace = '', name } = vmi.metadata
  try {
    const made = client.create(migrationKind, {
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
    client.record(vmi, {
      type: 'Normal',
      reason: 'SuccessfulCreate',
      message: `Created Migration ${made.metadata.name}${purpose}`,
    })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const doing = purpose === '' ? '' : purpose
    client.record(vmi, {
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
      keysOf: ({ metadata: { name } }, client) => instancesOn(client, name).flatMap(ownKey),
    },
  ],
  reconcile(client, { namespace, name }) {
    const vmi = client.get(vmiKind, namespace, name)
    if (!vmi || !mustEvacuate(client, vmi)) return undefined
    const node = read.text(read.status(vmi).nodeName)
    const annotation = { 'kubevirt.io/evacuationMigration': node }
    if (canMigrate(client, vmi))
      startMigration(client, vmi, {
        prefix: 'kubevirt-evacuation-',
        annotation,
        priority: 'system-critical',
        purpose: '',
      })
    return recheckMs
  },
}

function mustEvacuate(client: Client, vmi: KubeObject): boolean {
  const { nodeName, evacuationNodeName } = read.status(vmi)
  if (nodeName === undefined || isDeleted(vmi)) return false
  // VMIs with another eviction strategy are only marked; an external controller migrates them.
  if (!['LiveMigrate', 'LiveMigrateIfPossible'].includes(read.text(strategyOf(client, vmi))))
    return false
  if (evacuationNodeName === nodeName) return true
  const node = client.get('nodes', undefined, read.text(nodeName))
  return read
    .maps(node && read.spec(node).taints)
    .some(({ key, effect }) => key === configuration.nodeDrainTaintKey && effect === 'NoSchedule')
}

const strategyOf = (client: Client, vmi: KubeObject): Json | undefined =>
  read.spec(vmi).evictionStrategy ??
  read.at(client.list('kubevirts.kubevirt.io')[0]?.spec, 'configuration', 'evictionStrategy')

/** Migrates VMIs with hotplugged CPUs, memory or NICs, which reach the guest on the target node. */
export const workloadUpdates: Controller = {
  name: 'virt-controller',
  sources: [
    {
      kind: vmiKind,
      keysOf: (vmi, client) =>
        isChanging(vmi) || workloadUpdatesOf(client, vmi).length > 0 ? ownKey(vmi) : [],
    },
  ],
  reconcile(client, { namespace, name }) {
    const vmi = client.get(vmiKind, namespace, name)
    if (!vmi) return undefined
    if (!isChanging(vmi)) return abort(client, vmi)
    const annotation = { [updateMark]: '' }
    const purpose = ' for automated workload update'
    if (mayUpdate(client) && canMigrate(client, vmi))
      startMigration(client, vmi, {
        prefix: 'kubevirt-workload-update-',
        annotation,
        priority: 'user-triggered',
        purpose,
      })
    return recheckMs
  },
}

const updateMark = 'kubevirt.io/workloadUpdateMigration'

/** True when the KubeVirt configuration allows workload updates by migration. */
const mayUpdate = (client: Client): boolean =>
  read
    .texts(
      read.at(
        client.list('kubevirts.kubevirt.io')[0]?.spec,
        'workloadUpdateStrategy',
        'workloadUpdateMethods',
      ),
    )
    .includes('LiveMigrate')

const workloadUpdatesOf = (client: Client, { metadata }: KubeObject): KubeObject[] =>
  migrations
    .of(client, `${metadata.namespace}/${metadata.name}`)
    .filter(
      (each) => !isFinalMigration(each) && each.metadata.annotations?.[updateMark] !== undefined,
    )

/**
 * Cancels workload update migrations that are no longer needed. As in KubeVirt, none is cancelled
 * after an earlier migration has completed.
 */
function abort(client: Client, vmi: KubeObject): undefined {
  if (migrationStateOf(vmi).targetNodeDomainReadyTimestamp !== undefined) return
  for (const migration of workloadUpdatesOf(client, vmi))
    if (!isDeleted(migration)) client.remove(migrationKind, migration)
}

const isChanging = (vmi: KubeObject): boolean =>
  conditionOf(vmi, 'HotVCPUChange') !== undefined ||
  isTrue(vmi, 'HotMemoryChange') ||
  isTrue(vmi, 'MigrationRequired')
