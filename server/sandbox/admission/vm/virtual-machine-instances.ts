import { type Identity } from '../../objects/identity.ts'
import { isDeepStrictEqual } from 'node:util'
import { type Cause } from '../../objects/cause.ts'
import { type WebhookRequest } from '../../objects/resource.ts'
import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { clock } from '../../clock.ts'
import { read } from '../../objects/read.ts'
import { deleteFinalizer } from '../../objects/vms/kinds.ts'
import { cause, denyIfAny } from '../refusals.ts'
import { clusterConfig } from '../../objects/vms/cluster-config.ts'
import { mustDecode } from './decoded.ts'
import { setUnset, within } from '../../objects/vms/draft.ts'
import { setVmiDefaults } from './vmi-defaults.ts'
import { vmiRules } from './vmi-rules.ts'
import { metadataCauses, reservedLabels } from './metadata-rules.ts'
import { hasPcieHotplug, markTopology } from './pci-topology.ts'
import { discontinuedBindings } from './network-rules/networks.ts'
import { specCauses } from './spec-rules.ts'
import { reserialized } from './reserialized.ts'

const mutator = 'virtualmachineinstances-mutator.kubevirt.io'
const creating = 'virtualmachineinstances-create-validator.kubevirt.io'
const updating = 'virtualmachineinstances-update-validator.kubevirt.io'

const isKubeVirts = ({ name }: Identity): boolean =>
  name.startsWith('system:serviceaccount:kubevirt:')

/** Sets the defaults of a new VMI. On an update only KubeVirt itself may change the status. */
export function admitVmi(request: WebhookRequest): KubeObject {
  const { object, old, user, resource } = request
  mustDecode(
    { webhook: mutator, schema: resource.schema, struct: 'VirtualMachineInstance' },
    object,
  )
  if (!old) return withVmiDefaults(request)
  return isKubeVirts(user) || isDeepStrictEqual(old.status, object.status)
    ? object
    : { ...object, status: old.status }
}

function withVmiDefaults(request: WebhookRequest): KubeObject {
  const draft = structuredClone(request.object)
  const spec = within(draft, 'spec')
  setVmiDefaults(spec, clusterConfig(request))
  const finalizers = new Set([...(draft.metadata.finalizers ?? []), deleteFinalizer])
  draft.metadata.finalizers = [...finalizers]
  if (hasPcieHotplug(spec)) markTopology(draft.metadata)
  setFirstStatus(within(draft, 'status'), spec)
  return { ...draft, spec: reserialized(spec, request.resource.schema.properties?.spec ?? {}) }
}

function setFirstStatus(status: JsonMap, { domain }: JsonMap): void {
  const { sockets, cores, threads } = read.map(read.at(domain, 'cpu'))
  const guest = read.at(domain, 'memory', 'guest')
  setUnset(status, { currentCPUTopology: { cores, sockets, threads }, runtimeUser: 107 })
  if (guest !== undefined)
    status.memory = { guestAtBoot: guest, guestCurrent: guest, guestRequested: guest }
  status.phase = 'Pending'
  status.phaseTransitionTimestamps = [
    { phase: 'Pending', phaseTransitionTimestamp: clock.timestamp() },
  ]
}

/** Validates a new VMI. An update by a user may change neither the spec nor reserved labels. */
export function reviewVmi(request: WebhookRequest): void {
  const { object, old, user } = request
  if (old) return denyIfAny(updating, changeCauses(old, object, user))
  const config = clusterConfig(request)
  const spec = read.spec(object)
  const context = { spec, at: 'spec', config }
  const metadata = {
    metadata: object.metadata,
    at: 'metadata',
    config,
    isKubeVirts: isKubeVirts(user),
  }
  const { mapped, memory, enlightenments, architecture } = vmiRules
  denyIfAny(creating, [
    ...[discontinuedBindings, specCauses, mapped, memory].flatMap((rule) => rule(context)),
    ...metadataCauses(metadata),
    ...[enlightenments, architecture].flatMap((rule) => rule(context)),
  ])
}

function changeCauses(old: KubeObject, object: KubeObject, user: Identity): Cause[] {
  if (isKubeVirts(user)) return []
  if (!isDeepStrictEqual(old.spec, object.spec))
    return [cause.unsupported('', 'update of VMI object is restricted')]
  const labels = ({ metadata }: KubeObject): JsonMap => reservedLabels(metadata.labels ?? {})
  if (isDeepStrictEqual(labels(old), labels(object))) return []
  return [
    cause.unsupported(
      '',
      'modification of the following reserved kubevirt.io/ labels on a VMI object is prohibited',
    ),
  ]
}
