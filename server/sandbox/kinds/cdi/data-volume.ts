import {
  atomicTexts,
  each,
  empty,
  flag,
  int32,
  list,
  object,
  oneOf,
  structOf,
  text,
  texts,
  type Fields,
} from '../../objects/schema.ts'
import { labelSelector, resources, typedReference } from '../shared.ts'
import { condition, namespacedName } from './common.ts'

/* Schema of the kind DataVolume, as CDI's CRD declares it. */

const dataSourceRef = object(each(text, 'apiGroup', 'kind', 'name', 'namespace'), 'kind', 'name')

export const claimSpec = object({
  accessModes: atomicTexts,
  dataSource: typedReference,
  dataSourceRef,
  resources,
  selector: labelSelector,
  ...each(text, 'storageClassName', 'volumeAttributesClassName', 'volumeMode', 'volumeName'),
})

const http = {
  ...each(text, 'certConfigMap', 'secretRef', 'url'),
  ...each(texts, 'extraHeaders', 'secretExtraHeaders'),
}
const vddk = each(
  text,
  'backingFile',
  'extraArgs',
  'initImageURL',
  'secretRef',
  'thumbprint',
  'url',
  'uuid',
)

const source = (extra: { http: Fields; vddk: Fields }) =>
  object({
    ...each(empty, 'blank', 'upload'),
    ...each(namespacedName, 'pvc', 'snapshot'),
    gcs: object(each(text, 'secretRef', 'url'), 'url'),
    http: object({ ...http, ...extra.http }, 'url'),
    imageio: object(
      { ...each(text, 'certConfigMap', 'diskId', 'secretRef', 'url'), insecureSkipVerify: flag },
      'diskId',
      'url',
    ),
    registry: object({
      ...each(text, 'certConfigMap', 'imageStream', 'pullMethod', 'secretRef', 'url'),
      platform: structOf(text, 'architecture'),
    }),
    s3: object(each(text, 'certConfigMap', 'secretRef', 'url'), 'url'),
    vddk: object({ ...vddk, ...extra.vddk }),
  })

const spec = {
  checkpoints: list(object(each(text, 'current', 'previous'), 'current', 'previous')),
  contentType: oneOf('kubevirt', 'archive'),
  ...each(flag, 'finalCheckpoint', 'preallocation'),
  priorityClassName: text,
  pvc: claimSpec,
  sourceRef: object(each(text, 'kind', 'name', 'namespace'), 'kind', 'name'),
  storage: object({
    accessModes: texts,
    dataSource: typedReference,
    dataSourceRef,
    resources,
    selector: labelSelector,
    ...each(text, 'storageClassName', 'volumeMode', 'volumeName'),
  }),
}

/** KubeVirt was built against an older CDI, so the templates in a VM have fewer fields. */
export const templateSpec = object({ ...spec, source: source({ http: {}, vddk: {} }) })

export const dataVolume = object(
  {
    spec: object({
      ...spec,
      serviceAccountName: text,
      source: source({
        http: { checksum: text, insecureSkipVerify: flag },
        vddk: { certConfigMap: text },
      }),
    }),
    status: object({
      ...each(text, 'claimName', 'phase', 'progress'),
      conditions: list(condition),
      restartCount: int32,
    }),
  },
  'spec',
)
