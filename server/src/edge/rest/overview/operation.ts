import { operation, operationStates } from '../../../engine/rest/operation-body.ts'
import { NounRoutes } from '../../../engine/rest/noun-routes.ts'
import { maxWaitSeconds } from '../../../engine/rest/conditions.ts'
import { type RestRoute } from '../../../engine/rest/route.ts'
import { scalar } from '../../../engine/rest/scalar.ts'
import { list, oneOf } from '../../../engine/rest/json-schema.ts'

const { id, text, whole } = scalar

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
        schema: list(oneOf(...operationStates)),
        as: 'states',
      },
      kind: { description: 'Only operations of this kind.', schema: text },
      target_id: { description: 'Only operations of this object.', schema: id },
    },
    sorts: ['created_at'],
  }),
  {
    ...operations.get('Get an operation; `wait` answers when it has ended'),
    run: `query GetOperation($id: ID!, $waitSeconds: Int) {
      answer: operation(id: $id, waitSeconds: $waitSeconds) { ${operation.selection} } }`,
    input: ({ params, query }) => ({ id: params['id'], waitSeconds: query['wait'] }),
    names: { waitSeconds: 'wait' },
    query: {
      wait: {
        description:
          'Answer when the operation has ended, or with its present state after this many seconds.',
        schema: { ...whole, minimum: 0, maximum: maxWaitSeconds },
      },
    },
  },
  operations.act('Cancel an operation that has not ended', '/cancel', {
    mutation: 'CancelOperation',
  }),
]
