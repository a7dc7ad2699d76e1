import { component, object, oneOf, orNull } from './json-schema.ts'
import { ResponseShape, listOf } from './response-shape.ts'
import { scalar } from './scalar.ts'

const { flag, id, text, time, whole } = scalar

export const operationStates = [
  'pending',
  'running',
  'succeeded',
  'failed',
  'cancelled',
  'superseded',
] as const

const step = new ResponseShape('OperationStep', {
  name: text,
  title: text,
  state: text,
  started_at: orNull(time),
  finished_at: orNull(time),
})

const fault = new ResponseShape('OperationFault', { code: text, message: text, remedy: text })

/** The fields of an operation that this interface reads itself. */
export interface OperationRow {
  id: string
  tenant_id: string
  kind: string
  state: string
  target_name: string
  created_at: string
}

/** An operation has one shape in all responses. */
export const operation = new ResponseShape<OperationRow>('Operation', {
  id,
  tenant_id: id,
  kind: text,
  target_kind: text,
  target_id: id,
  target_name: text,
  actor_id: id,
  actor_name: text,
  state: oneOf(...operationStates),
  progress: orNull(whole),
  cancellable: flag,
  deadline: time,
  version: whole,
  superseded_by: orNull(id),
  steps: listOf(step),
  fault: { schema: orNull(fault.schema), selection: fault.selection },
  waits_for: {
    ...orNull(text),
    description:
      'A component or a right that the operator must provide. The operation then continues by itself.',
  },
  created_at: time,
  started_at: orNull(time),
  finished_at: orNull(time),
})

/** Selects the operation of a mutation, for callers that get a response before it ends. */
export const operationField = `operation { ${operation.selection} }`

const job = component(
  {
    name: 'Job',
    description: 'The operation as older clients know it.',
  },
  object({
    id,
    tenant_id: id,
    type: { ...text, description: 'The kind of the operation.' },
    status: { ...text, description: 'The state of the operation.' },
    payload: { ...text, description: 'JSON with the name of the target.' },
    created_at: time,
    updated_at: time,
  }),
)

export const acceptedSchema = component(
  { name: 'Accepted', description: 'The operation that carries out an accepted request.' },
  object({ operation: operation.schema, job }),
)

/** Returns the body of a 202: the operation, and the same operation as older clients know it. */
export function acceptedBody(row: OperationRow): object {
  const { id: jobId, tenant_id, kind: type, state: status, target_name: name, created_at } = row
  const payload = JSON.stringify({ Name: name })
  return {
    operation: operation.toWire(row),
    job: { id: jobId, tenant_id, type, status, payload, created_at, updated_at: created_at },
  }
}

export const operationPath = ({ id: operationId }: OperationRow): string =>
  `/api/v1/operations/${operationId}`

export const isInProgress = ({ state }: OperationRow): boolean =>
  state === 'pending' || state === 'running'
