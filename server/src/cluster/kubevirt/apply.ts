import { type ClusterName, type Ownership, labels, ownershipLabels } from '../refs.ts'
import { ClusterError } from '../reader.ts'
import { type ApiKind, apiVersion } from './api-call.ts'
import { type ApiObject, objectIn } from './objects.ts'
import { type Transport } from './transport.ts'

export const fieldOwner = 'berth'

export interface Manifest {
  of: ApiKind
  namespace?: ClusterName
  name: ClusterName
  owner: Ownership
  /** The uid stored after the first success. */
  uid: string | null
  labels?: Readonly<Record<string, string>> | undefined
  annotations?: Readonly<Record<string, string>> | undefined
  /** Everything beside metadata. */
  content?: Readonly<Record<string, unknown>>
}

/**
 * Creates or corrects one object. The first time it is created by POST, because an apply would quietly change a stranger's object of the same
 * name; what bears the name already is ours only if it bears our row's id. From then on every apply carries the uid, because an apply without it
 * brings a deleted object back.
 */
export async function applyObject(transport: Transport, manifest: Manifest): Promise<ApiObject> {
  const uid = manifest.uid ?? (await claimName(transport, manifest))
  const { of, namespace, name, owner, annotations, content } = manifest
  const answer = await transport.call({
    method: 'PATCH',
    of,
    ...(namespace === undefined ? {} : { namespace }),
    name,
    // Forced: what we set is ours to set. Fields of the cluster's controllers are never in our manifests.
    query: { fieldManager: fieldOwner, force: 'true', fieldValidation: 'Strict' },
    contentType: 'application/apply-patch+yaml',
    body: {
      apiVersion: apiVersion(of),
      kind: of.kind,
      metadata: {
        name,
        ...(namespace === undefined ? {} : { namespace }),
        uid,
        labels: { ...manifest.labels, ...ownershipLabels(owner) },
        ...(annotations ? { annotations } : {}),
      },
      ...content,
    },
  })
  return mustBeObject(answer.body, manifest)
}

async function claimName(transport: Transport, manifest: Manifest): Promise<string> {
  const { of, namespace, name, owner, content } = manifest
  const place = { of, ...(namespace === undefined ? {} : { namespace }) }
  try {
    const created = await transport.call({
      method: 'POST',
      ...place,
      query: { fieldManager: fieldOwner, fieldValidation: 'Strict' },
      body: { apiVersion: apiVersion(of), kind: of.kind, metadata: { name, labels: ownershipLabels(owner) }, ...content },
    })
    return mustBeObject(created.body, manifest).metadata.uid
  } catch (error) {
    if (!(error instanceof ClusterError) || error.trouble !== 'name_taken') throw error
    return uidOfOurs(transport, manifest, error)
  }
}

async function uidOfOurs(transport: Transport, manifest: Manifest, taken: ClusterError): Promise<string> {
  const existing = await readObject(transport, manifest)
  // Deleted between the two calls: the next try creates it.
  if (!existing) throw new ClusterError('the object vanished meanwhile', { trouble: 'maybe_applied', call: taken.message, status: null })
  if (existing.metadata.labels?.[labels.rowId] !== manifest.owner.rowId) throw taken
  if (existing.metadata.deletionTimestamp === undefined) return existing.metadata.uid
  throw new ClusterError('an earlier object of ours is still being deleted', {
    trouble: 'namespace_terminating',
    call: taken.message,
    status: 409,
  })
}

interface Place {
  of: ApiKind
  namespace?: ClusterName
  name: ClusterName
}

/** Null when it is not there. */
export async function readObject(transport: Transport, { of, namespace, name }: Place): Promise<ApiObject | null> {
  try {
    const answer = await transport.call({ method: 'GET', of, ...(namespace === undefined ? {} : { namespace }), name })
    return objectIn(answer.body)
  } catch (error) {
    if (error instanceof ClusterError && error.trouble === 'gone') return null
    throw error
  }
}

/** Deletes the object with exactly this uid. Gone already, or replaced by another of the name: done. */
export async function deleteObject(transport: Transport, place: Place, uid: string): Promise<'terminating' | 'gone'> {
  const { of, namespace, name } = place
  try {
    const body = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid }, propagationPolicy: 'Background' }
    const answer = await transport.call({ method: 'DELETE', of, ...(namespace === undefined ? {} : { namespace }), name, body })
    // An object in the answer is one that somebody still holds; a Status says that it went.
    return objectIn(answer.body) ? 'terminating' : 'gone'
  } catch (error) {
    if (error instanceof ClusterError && (error.trouble === 'gone' || error.trouble === 'uid_mismatch')) return 'gone'
    throw error
  }
}

function mustBeObject(body: unknown, { of, name }: Manifest): ApiObject {
  const object = objectIn(body)
  if (object) return object
  throw new ClusterError('the answer is not an object', { trouble: 'maybe_applied', call: `apply ${of.kind} ${name}`, status: 200 })
}
