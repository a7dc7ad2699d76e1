import {
  atomicList,
  atomicTexts,
  each,
  listBy,
  nullable,
  object,
  oneOf,
  structOf,
  text,
  textMap,
  time,
} from '../../objects/schema.ts'
import { condition, typedReference } from '../shared.ts'

/* Schemas of VirtualMachineClone and VirtualMachineExport, as KubeVirt's CRDs declare them. */

const filters = each(atomicTexts, 'annotationFilters', 'labelFilters')
const conditions = atomicList(condition)

export const virtualMachineClone = object(
  {
    spec: object(
      {
        ...filters,
        newMacAddresses: textMap,
        newSMBiosSerial: text,
        patches: atomicTexts,
        source: typedReference,
        target: typedReference,
        template: object(filters),
        volumeNamePolicy: oneOf('RandomizeNames', 'PrefixTargetName'),
      },
      'source',
    ),
    status: object({
      conditions,
      creationTime: nullable(time),
      phase: text,
      ...each(nullable(text), 'restoreName', 'snapshotName', 'targetName'),
    }),
  },
  'spec',
)

/** A list of download URLs, distinguished by `key`. */
const urls = (key: string) => listBy([key], object(each(text, key, 'url'), key, 'url'))

const link = object(
  {
    backups: listBy(['name'], object({ endpoints: urls('endpoint'), name: text }, 'name')),
    cert: text,
    manifests: urls('type'),
    volumes: listBy(['name'], object({ formats: urls('format'), name: text }, 'name')),
  },
  'cert',
)

export const virtualMachineExport = object(
  {
    spec: object(
      { source: typedReference, ...each(text, 'tokenSecretRef', 'ttlDuration') },
      'source',
    ),
    status: object({
      conditions,
      links: structOf(link, 'external', 'internal'),
      ...each(text, 'phase', 'serviceName', 'tokenSecretRef', 'virtualMachineName'),
      ttlExpirationTime: time,
    }),
  },
  'spec',
)
