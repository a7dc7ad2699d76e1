import { type Identity } from '../../objects/identity.ts'
import { isDeepStrictEqual } from 'node:util'
import { type Cause } from '../../objects/cause.ts'
import { type Admittance } from '../../objects/resource.ts'
import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { clock } from '../../clock.ts'
import { read } from '../../objects/read.ts'
import { deleteFinalizer } from '../../objects/vms/kinds.ts'
import { cause, mustHaveNone } from '../refusals.ts'
import { clusterConfig } from '../../objects/vms/cluster-config.ts'
import { mustDecode } from './decoded.ts'
import { setUnset, within } from '../../objects/vms/draft.ts'
import { setInstanceDefaults } from './instance-defaults.ts'
import { instanceCauses } from './instance-rules.ts'
import { metadataCauses, reservedLabels } from './metadata-rules.ts'
import { hasPcieHotplug, markTopology } from './pci-topology.ts'
import { discontinuedBindings } from './network-rules/networks.ts'
import { specCauses } from './spec-rules.ts'
import { writtenAgain } from './written-again.ts'

const mutator = 'virtualmachineinstances-mutator.kubevirt.io'
const creating = 'virtualmachineinstances-create-validator.kubevirt.io'
const updating = 'virtualmachineinstances-update-validator.kubevirt.io'

const isKubeVirts = ({ name }: Identity): boolean =>
  name.startsWith('system:serviceaccount:kubevirt:')

/** Fills a new instance; of one that is there only KubeVirt itself changes what is seen. */
export function admitInstance(asked: Admittance): KubeObject {
  const { object, old, user, resource } = asked
  mustDecode(
    { webhook: mutator, schema: resource.schema, struct: 'VirtualMachineInstance' },
    object,
  )
  if (!old) return filledInstance(asked)
  return isKubeVirts(user) || isDeepStrictEqual(old.status, object.status)
    ? object
    : { ...object, status: old.status }
}

function filledInstance(asked: Admittance): KubeObject {
  const draft = structuredClone(asked.object)
  const spec = within(draft, 'spec')
  setInstanceDefaults(spec, clusterConfig(asked))
  const finalizers = new Set([...(draft.metadata.finalizers ?? []), deleteFinalizer])
  draft.metadata.finalizers = [...finalizers]
  if (hasPcieHotplug(spec)) markTopology(draft.metadata)
  setFirstStatus(within(draft, 'status'), spec)
  return { ...draft, spec: writtenAgain(spec, asked.resource.schema.properties?.spec ?? {}) }
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

/** What KubeVirt asks of an instance when it is made, and of who changes it later. */
export function reviewInstance(asked: Admittance): void {
  const { object, old, user } = asked
  if (old) return mustHaveNone(updating, changeCauses(old, object, user))
  const config = clusterConfig(asked)
  const spec = read.spec(object)
  const about = { spec, at: 'spec', config }
  const metadata = {
    metadata: object.metadata,
    at: 'metadata',
    config,
    isKubeVirts: isKubeVirts(user),
  }
  const { mapped, memory, enlightenments, architecture } = instanceCauses
  mustHaveNone(creating, [
    ...[discontinuedBindings, specCauses, mapped, memory].flatMap((rule) => rule(about)),
    ...metadataCauses(metadata),
    ...[enlightenments, architecture].flatMap((rule) => rule(about)),
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
