import { list, object } from '../../../engine/rest/json-schema.ts'
import { RequestBody } from '../../../engine/rest/request-body.ts'
import { listParameters, listVariables, pageFields } from '../../../engine/rest/request-query.ts'
import { ResponseShape } from '../../../engine/rest/response-shape.ts'
import { type PageInfo, type RestRoute, route } from '../../../engine/rest/route.ts'
import { scalar } from '../../../engine/rest/scalar.ts'
import { success } from '../../../engine/rest/success.ts'

const { id, text, time } = scalar

const memo = new ResponseShape({ id, tenant_id: id, name: text, text, created_at: time })

const newMemo = new RequestBody({ name: text, text })

export const memoRoutes: RestRoute[] = [
  route<{ memos: { nodes: object[]; pageInfo: PageInfo } }>({
    method: 'GET',
    path: '/api/v1/memos',
    summary: 'List the memos of the tenant',
    tag: 'Memos',
    run: `query ListMemos($first: Int, $after: String, $filter: MemoFilter, $orderBy: MemoOrder) {
      memos(first: $first, after: $after, filter: $filter, orderBy: $orderBy) { nodes { ${memo.selection} } ${pageFields} } }`,
    input: ({ query }) => listVariables(query),
    output: ({ memos }) => ({ memos: memo.toWireAll(memos.nodes) }),
    pageOf: ({ memos }) => memos.pageInfo,
    status: 200,
    query: listParameters,
    response: object({ memos: list(memo.schema) }),
  }),
  route<{ createMemo: { memo: object } }>({
    method: 'POST',
    path: '/api/v1/memos',
    summary: 'Create a memo',
    tag: 'Memos',
    run: `mutation CreateMemo($input: CreateMemoInput!) { createMemo(input: $input) { memo { ${memo.selection} } } }`,
    input: ({ body }) => ({ input: body }),
    output: ({ createMemo }) => ({ memo: memo.toWire(createMemo.memo) }),
    status: 201,
    request: newMemo,
    response: object({ memo: memo.schema }),
  }),
  route<object>({
    method: 'DELETE',
    path: '/api/v1/memos/{id}',
    summary: 'Delete a memo',
    tag: 'Memos',
    run: `mutation DeleteMemo($input: DeleteMemoInput!) { deleteMemo(input: $input) { memo { id } } }`,
    input: ({ params }) => ({ input: { id: params.id } }),
    output: () => ({ success: true }),
    status: 200,
    response: success,
  }),
]
