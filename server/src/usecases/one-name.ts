import { invalid } from '../engine/model/name.ts'
import { messageOf } from '../engine/model/message.ts'

/** Selects an object by its id, or by its name in the current tenant. */
export interface IdOrName {
  id?: string | null
  name?: string | null
  /** The object in the names of the two fields: `vm` for `vmId` and `vmName`. */
  fieldsOf?: 'vm' | 'snapshot'
}

type OneName = { id: string; name?: never } | { id?: never; name: string }

/** Refuses requests with neither or with both. */
export function requireOneName({ id, name, fieldsOf }: IdOrName): OneName {
  if (id && !name) return { id }
  if (name && !id) return { name }
  throw fieldsOf
    ? invalid(`${fieldsOf}Name`, messageOf('field.id_or_name', { id: `${fieldsOf}Id` }))
    : invalid('name', messageOf('field.id_or_name', { id: 'id' }))
}
