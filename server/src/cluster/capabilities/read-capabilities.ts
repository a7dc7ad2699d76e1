import { type Clock } from '../../runtime/clock.ts'
import { ClusterError, type Trouble, reactions } from '../../engine/kube/cluster-error.ts'
import { type ApiKind, apiVersion } from '../../engine/kube/api-call.ts'
import { textAt } from '../../engine/kube/field-at.ts'
import { type MissingRight, type MissingRights } from '../../engine/kube/missing-rights.ts'
import { accountName, deniedRights } from '../../engine/kube/review-rights.ts'
import { resourceName, rightsTo } from '../../engine/kube/rights.ts'
import { type Message } from '../../engine/model/message.ts'
import { type ClusterFacts, assess } from './assess.ts'
import { answers, bodyOf, checkAnswers, listOf, servedIn } from './cluster-answers.ts'
import { manifests } from '../manifests.ts'
import { ownAddressesIn } from './own-addresses.ts'
import { capabilityKinds, usedKinds } from '../used-kinds.ts'
import { type CapabilityReader } from '../reader.ts'
import { type Transport } from '../../engine/kube/transport.ts'

interface CapabilityReaderParts {
  transport: Transport
  rights: Pick<MissingRights, 'uses' | 'review'>
  clock: Pick<Clock, 'elapsedMs'>
}

/** The components that Berth builds on, and whether they work. */
type ComponentFacts = Pick<
  ClusterFacts,
  'served' | 'kubevirtAnswers' | 'kubevirt' | 'cdi' | 'refused'
>
/** The offers of the cluster with these components, which seldom change. */
type OfferFacts = Omit<ClusterFacts, keyof ComponentFacts> & Pick<ClusterFacts, 'refused'>

/** The last reading of the offers. */
interface OfferReading {
  offers: OfferFacts
  /** The text of the capabilities that they gave, to notice a change. */
  text: string
  /** The text of the components and rights with which they were read. */
  readWith: string
  readAtMs: number
  changedAtMs: number
}

/**
 * The limits of the time between two readings of the offers. In between, the time is the age of
 * their last change, because one change often follows another. Callers read once a minute.
 */
const offersEveryMs = { least: 55_000, most: 300_000 } as const

/**
 * Asks the API server which versions, API groups, storage classes and nodes it has, and derives the
 * capabilities. Each reading looks at the components and the rights. It looks at what they offer
 * when one of them changed, and otherwise after up to five minutes.
 */
export function capabilityReader(parts: CapabilityReaderParts): CapabilityReader {
  const { transport, rights, clock } = parts
  let last: OfferReading | null = null
  return {
    async readCapabilities() {
      const components = await readComponents(transport)
      const missing = await missingRights(transport, { served: components.served, rights })
      const readWith = JSON.stringify([...stateOf(components), missing])
      const isCurrent = last?.readWith === readWith && !isDue(last, clock.elapsedMs())
      const offers = last && isCurrent ? last.offers : await readOffers(transport)
      const assessed = assess(factsFrom(components, offers))
      if (!isCurrent) {
        const [text, readAtMs] = [JSON.stringify(assessed), clock.elapsedMs()]
        const changedAtMs = last?.text === text ? last.changedAtMs : readAtMs
        last = { offers, text, readWith, readAtMs, changedAtMs }
      }
      if (missing !== null) rights.review(missing)
      return { ...assessed, missingRights: missing }
    },
    checkAnswers: () => checkAnswers(transport),
  }
}

function isDue({ readAtMs, changedAtMs }: OfferReading, nowMs: number): boolean {
  const { least, most } = offersEveryMs
  return nowMs - readAtMs >= Math.min(most, Math.max(least, readAtMs - changedAtMs))
}

const factsFrom = (components: ComponentFacts, offers: OfferFacts): ClusterFacts => ({
  ...components,
  ...offers,
  refused: new Map([...components.refused, ...offers.refused]),
})

async function readComponents(transport: Transport): Promise<ComponentFacts> {
  const refused = new Map<string, Message>()
  const all = (of: ApiKind) => listOf(transport, { of, query: wholeList, refused })
  const [groups, kubevirtAnswers, kubevirts, cdis] = await Promise.all([
    bodyOf(transport, '/apis'),
    answers(transport, '/apis/subresources.kubevirt.io/v1/version'),
    all(capabilityKinds.kubevirt),
    all(capabilityKinds.cdi),
  ])
  return {
    served: servedIn(groups),
    kubevirtAnswers,
    kubevirt: kubevirts[0] ?? null,
    cdi: cdis[0] ?? null,
    refused,
  }
}

/** Returns what of the components tells that the offers may have changed. */
const stateOf = ({
  served,
  kubevirtAnswers,
  kubevirt,
  cdi,
  refused,
}: ComponentFacts): unknown[] => [
  [...served].sort(),
  kubevirtAnswers,
  textAt(kubevirt, 'status', 'observedKubeVirtVersion'),
  textAt(kubevirt, 'status', 'phase'),
  textAt(cdi, 'status', 'observedVersion'),
  textAt(cdi, 'status', 'phase'),
  [...refused.keys()],
]

async function readOffers(transport: Transport): Promise<OfferFacts> {
  const refused = new Map<string, Message>()
  const all = (of: ApiKind, query: Record<string, string> = wholeList) =>
    listOf(transport, { of, query, refused })
  const [version, ...lists] = await Promise.all([
    bodyOf(transport, '/version'),
    all(capabilityKinds.storageClass),
    all(capabilityKinds.storageProfile),
    all(capabilityKinds.snapshotClass),
    all(capabilityKinds.admissionPolicy),
    all(capabilityKinds.admissionBinding),
    all(capabilityKinds.node, nodesForVms),
    all(capabilityKinds.node),
    all(manifests.endpointSlice.of, apiServers),
  ])
  const [
    storageClasses,
    storageProfiles,
    snapshotClasses,
    admissionPolicies,
    admissionBindings,
    nodes,
    allNodes,
    apiServerSlices,
  ] = lists
  return {
    version,
    storageClasses,
    storageProfiles,
    snapshotClasses,
    admissionPolicies,
    admissionBindings,
    nodes,
    ownAddresses: ownAddressesIn({ nodes: allNodes, apiServers: apiServerSlices }),
    refused,
  }
}

const wholeList = { limit: '500' }

/** Two nodes are enough: live migration only needs a second one. */
const nodesForVms = {
  labelSelector: 'kubevirt.io/schedulable=true',
  fieldSelector: 'spec.unschedulable!=true',
  limit: '2',
}

/** The API server describes itself as a service with this name. */
const apiServers = { labelSelector: 'kubernetes.io/service-name=kubernetes', limit: '500' }

interface RightsContext {
  served: ReadonlySet<string>
  /** Tells which API groups the configuration of the operator uses. */
  rights: Pick<MissingRights, 'uses'>
}

/**
 * Returns the rights that Berth lacks to the kinds that the cluster serves and Berth uses. Null
 * when the reviews of rights cannot be read.
 */
async function missingRights(
  transport: Transport,
  { served, rights }: RightsContext,
): Promise<MissingRight[] | null> {
  const needed = usedKinds.filter(
    (kind) => (kind.group === '' || served.has(apiVersion(kind))) && rights.uses(kind.group),
  )
  try {
    const denied = await deniedRights(transport, needed.flatMap(rightsTo))
    if (denied.length === 0) return []
    const user = (await accountName(transport)) ?? 'the account of Berth'
    return denied.map((right) => ({ user, verb: right.verb, resource: resourceName(right) }))
  } catch (error) {
    // A proxy or a role may hide the reviews. Then only a refused call tells about its right.
    if (error instanceof ClusterError && hidesReviews(error.trouble)) return null
    throw error
  }
}

const hidesReviews = (trouble: Trouble): boolean =>
  trouble === 'not_served' || reactions[trouble].retry !== 'again'
