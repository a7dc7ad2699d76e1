import { ownersAfterUpdate } from '../patches/managed-fields.ts'
import { registry } from '../../kinds/registry.ts'
import { refuse } from '../../objects/status.ts'
import { type Store } from '../storage/store.ts'
import { dig } from '../../objects/dig.ts'
import { type KubeObject } from '../../objects/types.ts'
import { withGeneration } from '../update.ts'

/*
 * KubeVirt's eviction webhook. It marks a VMI for migration to another node and refuses the
 * eviction of its pod until the migration has finished.
 */

const webhook = 'virt-launcher-eviction-interceptor.kubevirt.io'
const vmis = registry.named('virtualmachineinstances.kubevirt.io')
const pods = registry.named('pods')

const denied = (why: string): Error => refuse.byWebhook(429, webhook, why)

interface EvictionRequest {
  pod: KubeObject
  eviction: KubeObject
  dryRun: boolean
}

export function interceptEviction(store: Store, request: EvictionRequest): void {
  const { pod } = request
  const component = pod.metadata.labels?.['kubevirt.io']
  if (component === 'hotplug-disk') return keepAttachment(store, pod)
  if (component === 'virt-launcher' && !isOver(pod)) evacuateVmi(store, request)
}

const isOver = ({ status }: KubeObject): boolean =>
  ['Succeeded', 'Failed'].includes(dig.text(status, 'phase'))

const vmiNameOf = ({ metadata }: KubeObject): string | undefined =>
  metadata.annotations?.['kubevirt.io/domain']

/** A hotplugged volume stays attached as long as its VMI runs. */
function keepAttachment(store: Store, pod: KubeObject): void {
  const { name, namespace, ownerReferences: [owner] = [] } = pod.metadata
  const launcher = store.get(pods, namespace, owner?.name ?? '')
  const vmiName = launcher && !isOver(launcher) ? vmiNameOf(launcher) : undefined
  if (vmiName === undefined || !store.get(vmis, namespace, vmiName)) return
  throw denied(
    `cannot evict hotplug pod: ${name} associated with running vmi: ${vmiName} in namespace ${namespace}`,
  )
}

function evacuateVmi(store: Store, { pod, eviction, dryRun }: EvictionRequest): void {
  const name = vmiNameOf(pod)
  if (name === undefined) return
  const { namespace } = pod.metadata
  const vmi = store.get(vmis, namespace, name)
  if (!vmi)
    throw denied(
      `kubevirt failed getting the vmi: virtualmachineinstances.kubevirt.io ${JSON.stringify(name)} not found`,
    )
  if (!mustEvacuate(store, vmi)) return
  const evacuation = `Eviction triggered evacuation of VMI "${namespace}/${name}"`
  if (dig.text(vmi, 'status.evacuationNodeName') !== '')
    throw denied(`Evacuation in progress: ${evacuation}`)
  if (dig.text(vmi, 'status.nodeName') !== dig.text(pod, 'spec.nodeName'))
    throw denied('Eviction request for target Pod')
  if (!dryRun)
    markForEvacuation(store, vmi, {
      isRebalancing: eviction.metadata.annotations?.['requested-by'] === 'sigs.k8s.io/descheduler',
    })
  throw denied(evacuation)
}

function mustEvacuate(store: Store, vmi: KubeObject): boolean {
  const strategy = dig.text(vmi, 'spec.evictionStrategy') || clusterStrategy(store)
  if (strategy === 'External') return true
  const migratable = dig
    .list(vmi, 'status.conditions')
    .find((each) => dig.text(each, 'type') === 'LiveMigratable')
  const canMigrate = dig.text(migratable, 'status') === 'True'
  if (strategy === 'LiveMigrate' && !canMigrate) {
    throw denied(
      `VMI ${vmi.metadata.name} is configured with an eviction strategy but is not live-migratable`,
    )
  }
  return canMigrate && ['LiveMigrate', 'LiveMigrateIfPossible'].includes(strategy)
}

const clusterStrategy = (store: Store): string =>
  dig.text(
    store.list(registry.named('kubevirts.kubevirt.io'))[0],
    'spec.configuration.evictionStrategy',
  )

function markForEvacuation(
  store: Store,
  vmi: KubeObject,
  { isRebalancing }: { isRebalancing: boolean },
): void {
  const status = { ...dig.map(vmi, 'status'), evacuationNodeName: dig.text(vmi, 'status.nodeName') }
  const annotations = { ...vmi.metadata.annotations, 'kubevirt.io/eviction-source': 'descheduler' }
  const next = withGeneration(vmis, vmi, {
    ...vmi,
    status,
    metadata: isRebalancing ? { ...vmi.metadata, annotations } : vmi.metadata,
  })
  const managedFields = ownersAfterUpdate(vmis, {
    old: vmi,
    next,
    manager: { name: 'virt-api', operation: 'Update' },
  })
  store.put(vmis, { ...next, metadata: { ...next.metadata, managedFields } })
}
