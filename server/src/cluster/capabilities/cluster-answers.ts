import { ClusterError, type Trouble } from '../../engine/kube/cluster-error.ts'
import { type ApiCall, type ApiKind, type FixedPath } from '../../engine/kube/api-call.ts'
import { resourceName } from '../../engine/kube/rights.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'
import { namespaceKind } from '../tenant/namespace.ts'
import { listIn } from '../../engine/kube/objects.ts'
import { type Transport } from '../../engine/kube/transport.ts'

/*
 * Reads what tells about the abilities of a cluster. An answer that means absence is a fact; the
 * functions throw only when the cluster does not answer.
 */

const absences: readonly Trouble[] = ['gone', 'not_served']

interface FactList {
  of: ApiKind
  query: Record<string, string>
  /** The reasons why lists could not be read, by the plural of their kinds. */
  refused: Map<string, Message>
}

export async function listOf(
  transport: Transport,
  { of, query, refused }: FactList,
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

/** Returns the body of a discovery path; null when the cluster does not serve it. */
export async function bodyOf(transport: Transport, path: FixedPath): Promise<unknown> {
  try {
    return (await transport.call(discoveryCall(path))).body
  } catch (error) {
    if (error instanceof ClusterError && absences.includes(error.trouble)) return null
    throw error
  }
}

/** True when the component behind a discovery path answers. */
export async function answers(transport: Transport, path: FixedPath): Promise<boolean> {
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

/** Returns the served API versions in the body of `/apis`, as `group/version`. */
export function servedIn(body: unknown): ReadonlySet<string> {
  const { groups } = (body ?? {}) as { groups?: unknown } // The next line checks the type.
  const versions = (Array.isArray(groups) ? (groups as (Group | null)[]) : []).flatMap(
    (group) => group?.versions ?? [],
  ) // every field of `Group` is optional
  return new Set(versions.map(({ groupVersion }) => String(groupVersion)))
}
