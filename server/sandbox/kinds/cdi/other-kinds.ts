import { type Json } from '../../objects/types.ts'
import {
  atMost,
  checked,
  each,
  list,
  object,
  oneOf,
  structOf,
  text,
  texts,
} from '../../objects/schema.ts'
import { condition, namespacedName } from './common.ts'

/* Schemas of the kinds DataSource and StorageProfile, as CDI's CRDs declare them. */

const dataSourceSource = structOf(namespacedName, 'dataSource', 'pvc', 'snapshot')

export const dataSource = object(
  {
    spec: object({ source: dataSourceSource }, 'source'),
    status: object({ conditions: list(condition), source: dataSourceSource }),
  },
  'spec',
)

const accessModes = ['ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOncePod']
const areAccessModes = {
  message: 'Illegal AccessMode',
  holds: (modes: Json) =>
    Array.isArray(modes) && modes.every((mode) => accessModes.includes(String(mode))),
}

const claimPropertySets = atMost(
  8,
  list(
    object(
      {
        accessModes: checked(atMost(4, texts), areAccessModes),
        volumeMode: oneOf('Block', 'Filesystem'),
      },
      'accessModes',
      'volumeMode',
    ),
  ),
)

const profile = {
  claimPropertySets,
  ...each(text, 'cloneStrategy', 'dataImportCronSourceFormat', 'snapshotClass'),
}

export const storageProfile = object(
  {
    spec: object(profile),
    status: object({
      ...profile,
      conditions: list(condition),
      ...each(text, 'provisioner', 'storageClass'),
    }),
  },
  'spec',
)
