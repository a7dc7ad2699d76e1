import { ResponseShape, listOf } from '../../../engine/rest/response-shape.ts'
import { pageFields, pageVariables } from '../../../engine/rest/request-query.ts'
import { type PageInfo, type RestRoute, route } from '../../../engine/rest/route.ts'
import { scalar } from '../../../engine/rest/scalar.ts'
import { list, object, oneOf, orNull } from '../../../engine/rest/json-schema.ts'

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

export const operationRoutes: RestRoute[] = [
  route<{ operations: { nodes: object[]; pageInfo: PageInfo } }>({
    method: 'GET',
    path: '/api/v1/operations',
    summary: 'List operations, newest first',
    tag: 'Operations',
    run: `query ListOperations($first: Int, $after: String, $filter: OperationFilter) {
      operations(first: $first, after: $after, filter: $filter) { nodes { ${operation.selection} } ${pageFields} } }`,
    input: ({ query }) => ({
      ...pageVariables(query),
      filter: {
        states: query['state'],
        kind: query['kind'],
        targetId: query['target_id'],
      },
    }),
    names: { states: 'state', targetId: 'target_id' },
    output: ({ operations }) => ({ operations: operation.toWireAll(operations.nodes) }),
    pageOf: ({ operations }) => operations.pageInfo,
    status: 200,
    query: {
      state: {
        description: 'Only operations in this state. The parameter may be repeated.',
        schema: list(oneOf(...states)),
      },
      kind: { description: 'Only operations of this kind.', schema: text },
      target_id: { description: 'Only operations of this object.', schema: id },
    },
    response: object({ operations: list(operation.schema) }),
  }),
  route<{ operation: object }>({
    method: 'GET',
    path: '/api/v1/operations/{id}',
    summary: 'Get an operation',
    tag: 'Operations',
    run: `query GetOperation($id: ID!) { operation(id: $id) { ${operation.selection} } }`,
    input: ({ params }) => ({ id: params.id }),
    output: (answer) => ({ operation: operation.toWire(answer.operation) }),
    status: 200,
    response: object({ operation: operation.schema }),
  }),
]
