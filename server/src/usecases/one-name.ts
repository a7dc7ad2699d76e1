import { invalid } from '../engine/model/name.ts'
import { messageOf } from '../engine/model/message.ts'

/** Selects an object by its id, or by its name in the current tenant. */
export interface IdOrName {
  id?: string | null
  name?: string | null
}

type OneName = { id: string; name?: never } | { id?: never; name: string }

/** Refuses requests with neither or with both. */
export function requireOneName({ id, name }: IdOrName): OneName {
  if (id && !name) return { id }
  if (name && !id) return { name }
  throw invalid('name', messageOf('field.id_or_name'))
}
