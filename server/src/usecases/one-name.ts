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
export function requireOneName(request: IdOrName): OneName {
  const named = oneNameOf(request)
  if (named !== null) return named
  const { id, name } = fieldNames(request)
  throw invalid(name, messageOf('field.id_or_name', { id }))
}

/** Refuses requests with both. Returns null for a request with neither. */
export function requireAtMostOneName(request: IdOrName): OneName | null {
  const { id, name } = fieldNames(request)
  if (request.id && request.name) throw invalid(name, messageOf('field.not_both', { id }))
  return oneNameOf(request)
}

function oneNameOf({ id, name }: IdOrName): OneName | null {
  if (id && !name) return { id }
  return name && !id ? { name } : null
}

const fieldNames = ({ fieldsOf }: IdOrName): { id: string; name: string } =>
  fieldsOf ? { id: `${fieldsOf}Id`, name: `${fieldsOf}Name` } : { id: 'id', name: 'name' }
