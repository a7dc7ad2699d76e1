import { ResponseShape, listOf } from '../../../engine/rest/response-shape.ts'
import { NounRoutes } from '../../../engine/rest/noun-routes.ts'
import { type RestRoute } from '../../../engine/rest/route.ts'
import { scalar } from '../../../engine/rest/scalar.ts'
import { list, oneOf, orNull } from '../../../engine/rest/json-schema.ts'

const { flag, id, text, time, whole } = scalar

const states = ['pending', 'running', 'succeeded', 'failed', 'cancelled', 'superseded'] as const

const step = new ResponseShape({
  name: text,
  title: text,
  state: text,
  started_at: orNull(time),
  finished_at: orNull(time),
})

const fault = new ResponseShape({ code: text, message: text, remedy: text })

const operation = new ResponseShape({
  id,
  tenant_id: id,
  kind: text,
  target_kind: text,
  target_id: id,
  target_name: text,
  actor_id: id,
  actor_name: text,
  state: oneOf(...states),
  progress: orNull(whole),
  cancellable: flag,
  deadline: time,
  version: whole,
  superseded_by: orNull(id),
  steps: listOf(step),
  fault: { schema: orNull(fault.schema), selection: fault.selection },
  created_at: time,
  started_at: orNull(time),
  finished_at: orNull(time),
})

const operations = new NounRoutes({
  tag: 'Operations',
  path: '/api/v1/operations',
  type: 'Operation',
  shape: operation,
})

export const operationRoutes: RestRoute[] = [
  operations.list('List operations, newest first', {
    filters: {
      state: {
        description: 'Only operations in this state. The parameter may be repeated.',
        schema: list(oneOf(...states)),
        as: 'states',
      },
      kind: { description: 'Only operations of this kind.', schema: text },
      target_id: { description: 'Only operations of this object.', schema: id },
    },
    sorts: [],
  }),
  operations.get('Get an operation'),
  operations.act('Cancel an operation that has not ended', '/cancel', {
    mutation: 'CancelOperation',
  }),
]
