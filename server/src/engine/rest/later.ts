import { scalar } from './scalar.ts'
import { object } from './shapes.ts'

const { id, text, time } = scalar

/** An operation as the document brings it, in the words of a job. */
export interface JobRow {
  id: string
  tenant_id: string
  type: string
  status: string
  target: string
  created_at: string
}

/** Of an answer's operation, for whoever is answered before it has ended. */
export const jobFields =
  'operation { id tenant_id: tenantId type: kind status: state target: targetName created_at: createdAt }'

/**
 * An operation as the job that older clients know. What was asked is in it as a text, for reading.
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

export const isUnderWay = ({ status }: JobRow): boolean =>
  status === 'pending' || status === 'running'
