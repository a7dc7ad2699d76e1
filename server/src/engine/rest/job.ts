import { scalar } from './scalar.ts'
import { object } from './json-schema.ts'

const { id, text, time } = scalar

/** An operation as the document selects it, with the field names of a job. */
export interface JobRow {
  id: string
  tenant_id: string
  type: string
  status: string
  target: string
  created_at: string
}

/** Selects the operation of a mutation, for callers that get a response before it ends. */
export const jobFields =
  'operation { id tenant_id: tenantId type: kind status: state target: targetName created_at: createdAt }'

/**
 * The job that clients of the older interface know. `payload` has the request as text, for
 * information only.
 */
export const jobSchema = object({
  job: object({
    id,
    tenant_id: id,
    type: text,
    status: text,
    payload: text,
    created_at: time,
    updated_at: time,
  }),
})

export const jobOf = ({ target, ...job }: JobRow): object => ({
  job: { ...job, payload: JSON.stringify({ Name: target }), updated_at: job.created_at },
})

export const isInProgress = ({ status }: JobRow): boolean =>
  status === 'pending' || status === 'running'
