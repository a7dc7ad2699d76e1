import { type ClusterName, type Ownership, labels, ownershipLabels } from './refs.ts'
import { ClusterError } from './cluster-error.ts'
import { type ApiKind, apiVersion } from './api-call.ts'
import { type Content } from './manifest.ts'
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
  owners?: readonly Content[] | undefined
  /** Everything beside metadata. */
  content?: Readonly<Record<string, unknown>>
}

/**
 * Creates or corrects one object. From the first success on every apply carries the uid, because an
 * apply without it brings a deleted object back. The first one must not touch a stranger's object
 * of the same name, so it carries a version that no object ever has: where nothing is, the version
 * does not matter; where something is, the apply fails. What bears the name already is ours only if
 * it bears our row's id.
 */
export async function applyObject(transport: Transport, manifest: Manifest): Promise<ApiObject> {
  if (manifest.uid !== null) return sendApply(transport, manifest, { uid: manifest.uid })
  try {
    return await sendApply(transport, manifest, { resourceVersion: neverAVersion })
  } catch (error) {
    if (
      !(error instanceof ClusterError) ||
      !['name_taken', 'version_conflict'].includes(error.trouble)
    )
      throw error
    return sendApply(transport, manifest, { uid: await uidOfOurs(transport, manifest, error) })
  }
}

/** The store's first revision, which is spent before the first object is written. */
const neverAVersion = '1'

async function sendApply(
  transport: Transport,
  manifest: Manifest,
  fence: { uid: string } | { resourceVersion: string },
): Promise<ApiObject> {
  const { of, namespace, name, owner, annotations, owners, content } = manifest
  const place = namespace === undefined ? {} : { namespace }
  const answer = await transport.call({
    method: 'PATCH',
    of,
    ...place,
    name,
    // Forced: what we set is ours to set. Fields of the cluster's controllers are never in our
    // manifests.
    query: { fieldManager: fieldOwner, force: 'true', fieldValidation: 'Strict' },
    contentType: 'application/apply-patch+yaml',
    body: {
      apiVersion: apiVersion(of),
      kind: of.kind,
      metadata: {
        name,
        ...place,
        ...fence,
        labels: { ...manifest.labels, ...ownershipLabels(owner) },
        ...(annotations ? { annotations } : {}),
        ...(owners ? { ownerReferences: owners } : {}),
      },
      ...content,
    },
  })
  return mustBeObject(answer.body, manifest)
}

async function uidOfOurs(
  transport: Transport,
  manifest: Manifest,
  { message, status }: ClusterError,
): Promise<string> {
  const call = `apply ${manifest.of.kind} ${manifest.name}`
  const existing = await readObject(transport, manifest)
  // Deleted between the two calls: the next try creates it.
  if (!existing)
    throw new ClusterError('the object vanished meanwhile', {
      trouble: 'maybe_applied',
      call,
      status: null,
    })
  if (existing.metadata.labels?.[labels.rowId] !== manifest.owner.rowId)
    throw new ClusterError(message, { trouble: 'name_taken', call, status })
  if (existing.metadata.deletionTimestamp === undefined) return existing.metadata.uid
  const trouble = manifest.of.plural === 'namespaces' ? 'namespace_terminating' : 'version_conflict'
  throw new ClusterError('an earlier object of ours is still being deleted', {
    trouble,
    call,
    status,
  })
}

interface Place {
  of: ApiKind
  namespace?: ClusterName
  name: ClusterName
}

/** Null when it is not there. */
export async function readObject(
  transport: Transport,
  { of, namespace, name }: Place,
): Promise<ApiObject | null> {
  try {
    const answer = await transport.call({
      method: 'GET',
      of,
      ...(namespace === undefined ? {} : { namespace }),
      name,
    })
    return objectIn(answer.body)
  } catch (error) {
    if (error instanceof ClusterError && error.trouble === 'gone') return null
    throw error
  }
}

/**
 * Deletes the object with exactly this uid. Gone already, or replaced by another of the name: done.
 */
export async function deleteObject(
  transport: Transport,
  place: Place,
  uid: string,
): Promise<'terminating' | 'gone'> {
  const { of, namespace, name } = place
  try {
    const body = {
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      preconditions: { uid },
      propagationPolicy: 'Background',
    }
    const answer = await transport.call({
      method: 'DELETE',
      of,
      ...(namespace === undefined ? {} : { namespace }),
      name,
      body,
    })
    // An object in the answer is one that somebody still holds; a Status says that it went.
    return objectIn(answer.body) ? 'terminating' : 'gone'
  } catch (error) {
    if (
      error instanceof ClusterError &&
      (error.trouble === 'gone' || error.trouble === 'uid_mismatch')
    )
      return 'gone'
    throw error
  }
}

function mustBeObject(body: unknown, { of, name }: Manifest): ApiObject {
  const object = objectIn(body)
  if (object) return object
  throw new ClusterError('the answer is not an object', {
    trouble: 'maybe_applied',
    call: `apply ${of.kind} ${name}`,
    status: 200,
  })
}
