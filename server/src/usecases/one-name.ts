import { invalid } from '../engine/model/name.ts'
import { messageOf } from '../engine/model/message.ts'

/**
 * Which of a noun is meant: the one with this id, or the one with this name in the tenant acted in.
 */
export interface IdOrName {
  id?: string | null
  name?: string | null
}

type OneName = { id: string; name?: never } | { id?: never; name: string }

/** Refuses none and both. */
export function requireOneName({ id, name }: IdOrName): OneName {
  if (id && !name) return { id }
  if (name && !id) return { name }
  throw invalid('name', messageOf('field.id_or_name'))
}
