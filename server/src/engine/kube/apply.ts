import { type ClusterName, type Ownership, labels, ownershipLabels } from './refs.ts'
import { ClusterError } from './cluster-error.ts'
import { type ApiKind, apiVersion } from './api-call.ts'
import { type Content, hasForeignItems } from './content/manifest.ts'
import { type ApiObject, objectIn } from './objects.ts'
import { type Transport } from './transport.ts'

export const fieldOwner = 'berth'

export interface Manifest {
  of: ApiKind
  namespace?: ClusterName
  name: ClusterName
  owner: Ownership
  /** The uid that was stored after the first success. */
  uid: string | null
  labels?: Readonly<Record<string, string>> | undefined
  annotations?: Readonly<Record<string, string>> | undefined
  owners?: readonly Content[] | undefined
  /** All fields except metadata, without empty lists. */
  content?: Readonly<Record<string, unknown>>
  /** The same with its empty lists, which remove what another client has added to them. */
  cleared?: Readonly<Record<string, unknown>>
}

/** Creates or corrects one object like `applyObject`. */
export type ApplyObject = (manifest: Manifest) => Promise<ApiObject>

/**
 * Creates or corrects one object. After the first success every apply carries the uid, because an
 * apply without it recreates a deleted object. The first apply must not change a foreign object of
 * the same name, so it carries a version that no object ever has. It then creates an absent object
 * and fails on an existing one. An existing object is Berth's own only if its label has the row id.
 */
export async function applyObject(transport: Transport, manifest: Manifest): Promise<ApiObject> {
  if (manifest.uid !== null) return applyOwn(transport, manifest, manifest.uid)
  try {
    return await sendApply(transport, manifest, { resourceVersion: neverAVersion })
  } catch (error) {
    if (
      !(error instanceof ClusterError) ||
      !['name_taken', 'version_conflict'].includes(error.trouble)
    )
      throw error
    return applyOwn(transport, manifest, await uidOfOwnObject(transport, manifest, error))
  }
}

/**
 * Corrects an object of Berth. An apply without a list does not own the list. When another client
 * has added items, an apply of the empty list removes them. The next one leaves the list out again.
 */
async function applyOwn(transport: Transport, manifest: Manifest, uid: string): Promise<ApiObject> {
  const object = await sendApply(transport, manifest, { uid })
  const { cleared } = manifest
  if (!cleared || !hasForeignItems(cleared, object)) return object
  await sendApply(transport, { ...manifest, content: cleared }, { uid })
  return sendApply(transport, manifest, { uid })
}

/** The first revision of etcd, which is used before the first object is written. */
const neverAVersion = '1'

async function sendApply(
  transport: Transport,
  manifest: Manifest,
  fence: { uid: string } | { resourceVersion: string },
): Promise<ApiObject> {
  const { of, namespace, name, owner, annotations, owners, content } = manifest
  const scope = namespace === undefined ? {} : { namespace }
  const answer = await transport.call({
    method: 'PATCH',
    of,
    ...scope,
    name,
    // The apply is forced, because Berth owns the fields that it sets. Its manifests never contain
    // fields of the cluster's controllers.
    query: { fieldManager: fieldOwner, force: 'true', fieldValidation: 'Strict' },
    contentType: 'application/apply-patch+yaml',
    body: {
      apiVersion: apiVersion(of),
      kind: of.kind,
      metadata: {
        name,
        ...scope,
        ...fence,
        labels: { ...manifest.labels, ...ownershipLabels(owner) },
        ...(annotations ? { annotations } : {}),
        ...(owners ? { ownerReferences: owners } : {}),
      },
      ...content,
    },
  })
  return requireObject(answer.body, manifest)
}

async function uidOfOwnObject(
  transport: Transport,
  manifest: Manifest,
  { message, status }: ClusterError,
): Promise<string> {
  const call = `apply ${manifest.of.kind} ${manifest.name}`
  const existing = await readObject(transport, manifest)
  // The object was deleted between the two calls; the next attempt creates it.
  if (!existing)
    throw new ClusterError('the object disappeared between two calls', {
      trouble: 'maybe_applied',
      call,
      status: null,
    })
  if (existing.metadata.labels?.[labels.rowId] !== manifest.owner.rowId)
    throw new ClusterError(message, { trouble: 'name_taken', call, status })
  if (existing.metadata.deletionTimestamp === undefined) return existing.metadata.uid
  const trouble = manifest.of.plural === 'namespaces' ? 'namespace_terminating' : 'version_conflict'
  throw new ClusterError('an earlier object of Berth is still being deleted', {
    trouble,
    call,
    status,
  })
}

interface ObjectAddress {
  of: ApiKind
  namespace?: ClusterName
  name: ClusterName
}

/** Reads an object; null when it does not exist. */
export async function readObject(
  transport: Transport,
  { of, namespace, name }: ObjectAddress,
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
 * Deletes the object with exactly this uid. An object that is gone or replaced counts as deleted.
 */
export async function deleteObject(
  transport: Transport,
  address: ObjectAddress,
  uid: string,
): Promise<'terminating' | 'gone'> {
  const { of, namespace, name } = address
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
    // The response contains the object while a finalizer holds it, and a Status when it is gone.
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

/** Returns the object that a write was answered with. Without one, the write may be lost. */
export function requireObject(
  body: unknown,
  { of, name }: Pick<Manifest, 'of' | 'name'>,
): ApiObject {
  const object = objectIn(body)
  if (object) return object
  throw new ClusterError('the response is not an object', {
    trouble: 'maybe_applied',
    call: `apply ${of.kind} ${name}`,
    status: 200,
  })
}
