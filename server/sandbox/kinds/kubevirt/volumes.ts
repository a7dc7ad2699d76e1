import { type Json } from '../../objects/types.ts'
import * as schemaTypes from '../../objects/schema.ts'
import { localReference } from '../shared.ts'

/* Schemas of the volumes in a VMI spec, as KubeVirt's CRDs declare them. */
const { atomic, checked, each, empty, flag, int32, list, object, quantity, text, withDefault } =
  schemaTypes

const cloudInit = object({
  ...each(text, 'networkData', 'networkDataBase64', 'userData', 'userDataBase64'),
  ...each(localReference, 'networkDataSecretRef', 'secretRef'),
})

const downwardFile = object(
  {
    path: text,
    mode: int32,
    fieldRef: atomic(object(each(text, 'apiVersion', 'fieldPath'), 'fieldPath')),
    resourceFieldRef: atomic(
      object({ ...each(text, 'containerName', 'resource'), divisor: quantity }, 'resource'),
    ),
  },
  'path',
)

const startsAtRoot = {
  message: "path must be absolute (start with '/')",
  holds: (path: Json) => String(path).startsWith('/'),
}
const staysInside = {
  message: "path must not contain '..'",
  holds: (path: Json) => !String(path).includes('..'),
}
const isReadOnly = {
  message: 'readOnly must be true, write access is not supported',
  holds: (readOnly: Json) => readOnly === true,
}

const containerPath = object(
  {
    path: checked({ ...text, maxLength: 4096 }, startsAtRoot, staysInside),
    readOnly: checked(withDefault(true, flag), isReadOnly),
  },
  'path',
)

export const claimVolume = object(
  { claimName: text, ...each(flag, 'hotpluggable', 'readOnly') },
  'claimName',
)
export const dataVolumeVolume = object({ name: text, hotpluggable: flag }, 'name')

export const volume = object(
  {
    name: text,
    cloudInitConfigDrive: cloudInit,
    cloudInitNoCloud: cloudInit,
    configMap: atomic(object({ name: withDefault('', text), optional: flag, volumeLabel: text })),
    containerDisk: object(
      each(text, 'image', 'imagePullPolicy', 'imagePullSecret', 'path'),
      'image',
    ),
    containerPath,
    dataVolume: dataVolumeVolume,
    downwardAPI: object({ fields: list(downwardFile), volumeLabel: text }),
    downwardMetrics: empty,
    emptyDisk: object({ capacity: quantity }, 'capacity'),
    ephemeral: object({
      persistentVolumeClaim: object({ claimName: text, readOnly: flag }, 'claimName'),
    }),
    hostDisk: object(
      { ...each(text, 'path', 'type'), capacity: quantity, shared: flag },
      'path',
      'type',
    ),
    memoryDump: claimVolume,
    persistentVolumeClaim: claimVolume,
    secret: object({ ...each(text, 'secretName', 'volumeLabel'), optional: flag }),
    serviceAccount: object({ serviceAccountName: text }),
    sysprep: object(each(localReference, 'configMap', 'secret')),
  },
  'name',
)
