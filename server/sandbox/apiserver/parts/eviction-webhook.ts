import { ownersAfterUpdate } from '../patches/managed-fields.ts'
import { registry } from '../../kinds/registry.ts'
import { refuse } from '../../objects/status.ts'
import { type Store } from '../storage/store.ts'
import { dig } from '../../objects/dig.ts'
import { type KubeObject } from '../../objects/types.ts'
import { withGeneration } from '../update.ts'

/*
 * KubeVirt's webhook of evictions. A machine that is to live on is marked, so that it moves to
 * another node, and its pod stays until it has.
 */

const webhook = 'virt-launcher-eviction-interceptor.kubevirt.io'
const instances = registry.named('virtualmachineinstances.kubevirt.io')
const pods = registry.named('pods')

const denied = (why: string): Error => refuse.byWebhook(429, webhook, why)

interface Asked {
  pod: KubeObject
  eviction: KubeObject
  dryRun: boolean
}

export function interceptEviction(store: Store, asked: Asked): void {
  const { pod } = asked
  const part = pod.metadata.labels?.['kubevirt.io']
  if (part === 'hotplug-disk') return keepAttachment(store, pod)
  if (part === 'virt-launcher' && !isOver(pod)) moveMachine(store, asked)
}

const isOver = ({ status }: KubeObject): boolean =>
  ['Succeeded', 'Failed'].includes(dig.text(status, 'phase'))

const machineOf = ({ metadata }: KubeObject): string | undefined =>
  metadata.annotations?.['kubevirt.io/domain']

/** A volume stays as long as the machine that it was added to. */
function keepAttachment(store: Store, pod: KubeObject): void {
  const { name, namespace, ownerReferences: [owner] = [] } = pod.metadata
  const launcher = store.get(pods, namespace, owner?.name ?? '')
  const machine = launcher && !isOver(launcher) ? machineOf(launcher) : undefined
  if (machine === undefined || !store.get(instances, namespace, machine)) return
  throw denied(
    `cannot evict hotplug pod: ${name} associated with running vmi: ${machine} in namespace ${namespace}`,
  )
}

function moveMachine(store: Store, { pod, eviction, dryRun }: Asked): void {
  const name = machineOf(pod)
  if (name === undefined) return
  const { namespace } = pod.metadata
  const vmi = store.get(instances, namespace, name)
  if (!vmi)
    throw denied(
      `kubevirt failed getting the vmi: virtualmachineinstances.kubevirt.io ${JSON.stringify(name)} not found`,
    )
  if (!mustMove(store, vmi)) return
  const evacuation = `Eviction triggered evacuation of VMI "${namespace}/${name}"`
  if (dig.text(vmi, 'status.evacuationNodeName') !== '')
    throw denied(`Evacuation in progress: ${evacuation}`)
  if (dig.text(vmi, 'status.nodeName') !== dig.text(pod, 'spec.nodeName'))
    throw denied('Eviction request for target Pod')
  if (!dryRun)
    mark(store, vmi, {
      isRebalancing: eviction.metadata.annotations?.['requested-by'] === 'sigs.k8s.io/descheduler',
    })
  throw denied(evacuation)
}

function mustMove(store: Store, vmi: KubeObject): boolean {
  const strategy = dig.text(vmi, 'spec.evictionStrategy') || clusterStrategy(store)
  if (strategy === 'External') return true
  const migratable = dig
    .list(vmi, 'status.conditions')
    .find((each) => dig.text(each, 'type') === 'LiveMigratable')
  const canMove = dig.text(migratable, 'status') === 'True'
  if (strategy === 'LiveMigrate' && !canMove) {
    throw denied(
      `VMI ${vmi.metadata.name} is configured with an eviction strategy but is not live-migratable`,
    )
  }
  return canMove && ['LiveMigrate', 'LiveMigrateIfPossible'].includes(strategy)
}

const clusterStrategy = (store: Store): string =>
  dig.text(
    store.list(registry.named('kubevirts.kubevirt.io'))[0],
    'spec.configuration.evictionStrategy',
  )

function mark(store: Store, vmi: KubeObject, { isRebalancing }: { isRebalancing: boolean }): void {
  const status = { ...dig.map(vmi, 'status'), evacuationNodeName: dig.text(vmi, 'status.nodeName') }
  const annotations = { ...vmi.metadata.annotations, 'kubevirt.io/eviction-source': 'descheduler' }
  const next = withGeneration(instances, vmi, {
    ...vmi,
    status,
    metadata: isRebalancing ? { ...vmi.metadata, annotations } : vmi.metadata,
  })
  const managedFields = ownersAfterUpdate(instances, {
    old: vmi,
    next,
    manager: { name: 'virt-api', operation: 'Update' },
  })
  store.put(instances, { ...next, metadata: { ...next.metadata, managedFields } })
}
