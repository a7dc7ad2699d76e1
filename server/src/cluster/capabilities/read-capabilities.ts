import { type Capabilities } from './capabilities.ts'
import { ClusterError, type Trouble, reactions } from '../../engine/kube/cluster-error.ts'
import {
  type ApiCall,
  type ApiKind,
  type FixedPath,
  apiVersion,
} from '../../engine/kube/api-call.ts'
import { type MissingRight, type MissingRights } from '../../engine/kube/missing-rights.ts'
import { accountName, deniedRights } from '../../engine/kube/review-rights.ts'
import { resourceName, rightsTo } from '../../engine/kube/rights.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'
import { type ClusterFacts, assess } from './assess.ts'
import { capabilityKinds, usedKinds } from '../used-kinds.ts'
import { namespaceKind } from '../tenant/namespace.ts'
import { listIn } from '../../engine/kube/objects.ts'
import { type Transport } from '../../engine/kube/transport.ts'

/** Tells which API groups the configuration of the operator uses. */
type RightsInUse = Pick<MissingRights, 'uses'>

/**
 * Asks the API server which versions, API groups, storage classes and nodes it has, and derives the
 * capabilities. Reads everything once. Throws when the cluster does not answer, because features
 * would then wrongly count as missing.
 */
export async function readCapabilities(
  transport: Transport,
  rights: RightsInUse,
): Promise<Capabilities> {
  const refused = new Map<string, Message>()
  const all = (of: ApiKind, query: Record<string, string> = { limit: '500' }) =>
    listOf(transport, { of, query, refused })
  const [version, groups, kubevirtAnswers, kubevirts, cdis, ...lists] = await Promise.all([
    bodyOf(transport, '/version'),
    bodyOf(transport, '/apis'),
    answers(transport, '/apis/subresources.kubevirt.io/v1/version'),
    all(capabilityKinds.kubevirt),
    all(capabilityKinds.cdi),
    all(capabilityKinds.storageClass),
    all(capabilityKinds.storageProfile),
    all(capabilityKinds.snapshotClass),
    all(capabilityKinds.admissionPolicy),
    all(capabilityKinds.admissionBinding),
    all(capabilityKinds.node, nodesForVms),
  ])
  const served = servedIn(groups)
  const [
    storageClasses,
    storageProfiles,
    snapshotClasses,
    admissionPolicies,
    admissionBindings,
    nodes = [],
  ] = lists
  const facts: ClusterFacts = {
    version,
    served,
    kubevirtAnswers,
    kubevirt: kubevirts[0] ?? null,
    cdi: cdis[0] ?? null,
    storageClasses,
    storageProfiles,
    snapshotClasses,
    admissionPolicies,
    admissionBindings,
    nodes,
    refused,
  }
  return { ...assess(facts), missingRights: await missingRights(transport, { served, rights }) }
}

/**
 * Returns the rights that Berth lacks to the kinds that the cluster serves and Berth uses. Null
 * when the reviews of rights cannot be read.
 */
async function missingRights(
  transport: Transport,
  { served, rights }: { served: ReadonlySet<string>; rights: RightsInUse },
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

const absences: readonly Trouble[] = ['gone', 'not_served']

/** Two nodes are enough: live migration only needs a second one. */
const nodesForVms = {
  labelSelector: 'kubevirt.io/schedulable=true',
  fieldSelector: 'spec.unschedulable!=true',
  limit: '2',
}

interface CapabilityList {
  of: ApiKind
  query: Record<string, string>
  /** The reasons why lists could not be read, by the plural of their kinds. */
  refused: Map<string, Message>
}

async function listOf(
  transport: Transport,
  { of, query, refused }: CapabilityList,
): Promise<readonly unknown[]> {
  const call = { method: 'GET', of, query } as const
  try {
    // No known cluster has more objects than the limit of the query, so no second page is read.
    return listIn((await transport.call(call)).body).items
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error
    if (error.trouble === 'not_permitted') refused.set(of.plural, rightMissing(call))
    else if (!absences.includes(error.trouble)) throw error
    return []
  }
}

function rightMissing(call: ApiCall): Message {
  const { plural: resource, group } = call.of
  return messageOf('capability.right_missing', {
    verb: 'list',
    resource: resourceName({ group, resource }),
  })
}

/** Discovery belongs to no kind, but error messages need one. */
const discoveryCall = (fixedPath: FixedPath) => ({
  method: 'GET' as const,
  of: namespaceKind,
  fixedPath,
})

/** Throws when the API server does not answer with its version. */
export async function checkAnswers(transport: Transport): Promise<void> {
  await transport.call(discoveryCall('/version'))
}

async function bodyOf(transport: Transport, path: FixedPath): Promise<unknown> {
  try {
    return (await transport.call(discoveryCall(path))).body
  } catch (error) {
    if (error instanceof ClusterError && absences.includes(error.trouble)) return null
    throw error
  }
}

async function answers(transport: Transport, path: FixedPath): Promise<boolean> {
  try {
    await transport.call(discoveryCall(path))
    return true
  } catch (error) {
    // The API server refuses before it asks KubeVirt, so a 403 says nothing about KubeVirt.
    if (error instanceof ClusterError && error.trouble === 'not_permitted') return true
    // A 503 means that KubeVirt is down, not that the cluster is.
    if (
      error instanceof ClusterError &&
      error.status !== null &&
      error.trouble !== 'unauthenticated'
    )
      return false
    throw error
  }
}

interface Group {
  versions?: { groupVersion?: unknown }[]
}

function servedIn(body: unknown): ReadonlySet<string> {
  const { groups } = (body ?? {}) as { groups?: unknown } // The next line checks the type.
  const versions = (Array.isArray(groups) ? (groups as (Group | null)[]) : []).flatMap(
    (group) => group?.versions ?? [],
  ) // every field of `Group` is optional
  return new Set(versions.map(({ groupVersion }) => String(groupVersion)))
}
