import { refuse } from '../../objects/status.ts'
import { type WebhookRequest } from '../../objects/resource.ts'
import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { claim } from '../../objects/storage/claim.ts'
import { names } from '../../objects/storage/names.ts'
import { read } from '../../objects/read.ts'
import { numberOf } from '../../quantity.ts'

/**
 * Applies the API server's built-in admission plugins to a claim. They set the default class, the
 * protection finalizer and both data source fields, and check expansion.
 */
export function admitClaim(request: WebhookRequest): KubeObject {
  if (request.old) return grown(request, request.old)
  const { object } = request
  const spec = read.spec(object)
  const className = spec.storageClassName ?? defaultClass(request)
  const finalizers = [...new Set([...(object.metadata.finalizers ?? []), names.claimProtection])]
  return {
    ...object,
    metadata: { ...object.metadata, finalizers },
    spec: {
      ...withSources(spec),
      ...(className === undefined ? {} : { storageClassName: className }),
    },
  }
}

/**
 * Completes the two fields for the data source. The older one takes only claims and snapshots, and
 * a source in another namespace is dropped because that needs an alpha feature.
 */
function withSources({ dataSource, dataSourceRef, ...spec }: JsonMap): JsonMap {
  const isLocal = read.text(read.at(dataSourceRef, 'namespace')) === ''
  const ref = isLocal ? dataSourceRef : undefined
  const older = ref !== undefined || isOlderSource(read.map(dataSource)) ? dataSource : undefined
  if (ref === undefined && older === undefined) return spec
  return { ...spec, dataSource: older ?? ref, dataSourceRef: ref ?? older }
}

const isOlderSource = ({ apiGroup, kind }: JsonMap): boolean =>
  kind === 'PersistentVolumeClaim'
    ? (apiGroup ?? '') === ''
    : kind === 'VolumeSnapshot' && apiGroup === 'snapshot.storage.k8s.io'

function defaultClass({ list }: WebhookRequest): string | undefined {
  const defaults = list(names.classes).filter(
    (each) => each.metadata.annotations?.[names.defaultClass] === 'true',
  )
  // Kubernetes uses the newest of several default classes.
  const [newest] = defaults.sort((a, b) =>
    (b.metadata.creationTimestamp ?? '').localeCompare(a.metadata.creationTimestamp ?? ''),
  )
  return newest?.metadata.name
}

function grown(request: WebhookRequest, before: KubeObject): KubeObject {
  const { old, get, resource } = request
  const object = { ...request.object, spec: withSources(read.spec(request.object)) }
  const requestedBytes = numberOf(claim.size(object)) ?? 0
  if (!old || requestedBytes <= claim.bytes(before) || !claim.isBound(before)) return object
  const storageClass = get(names.classes, undefined, read.text(read.spec(before).storageClassName))
  if (storageClass?.allowVolumeExpansion === true) return object
  throw refuse.forbidden(resource, object.metadata.name, {
    text: 'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
  })
}
