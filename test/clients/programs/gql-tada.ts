/** A program that takes its types from gql.tada and sends its queries with GET by urql. */
export const urqlProgram = `
import { Client, fetchExchange } from '@urql/core'
import { initGraphQLTada } from 'gql.tada'
import type { introspection } from './graphql-env.d.ts'

declare const process: { env: Record<string, string>, stdout: { write: (text: string) => void } }
const { BERTH_URL: url = '', BERTH_TOKEN: token = '', BERTH_VM: name = '' } = process.env
const graphql = initGraphQLTada<{
  introspection: introspection
  scalars: { DateTime: string; Cursor: string }
}>()

const methods = new Set<string | undefined>()
const berth = new Client({
  url: url + '/graphql',
  preferGetMethod: 'force',
  exchanges: [fetchExchange],
  fetchOptions: { headers: { authorization: 'Bearer ' + token } },
  fetch: (target, options) => {
    methods.add(options?.method)
    return fetch(target, options)
  },
})

const templates = graphql('query Templates { vmTemplates(filter: { search: "cirros" }) { nodes { id } } }')
const deploy = graphql(
  'mutation Deploy($input: CreateVmInput!) { createVm(input: $input) { vm { id } operation { id } } }',
)
const wait = graphql('query Wait($id: ID!) { operation(id: $id, waitSeconds: 60) { id state } }')
const read = graphql('query Read($id: ID!) { vm(id: $id) { id name state } }')
const remove = graphql(
  'mutation Remove($id: ID!) { deleteVm(input: { id: $id }, waitSeconds: 60) { operation { id state } } }',
)

const listed = await berth.query(templates, {})
if (listed.error) throw listed.error
const input = { name, templateId: listed.data?.vmTemplates.nodes[0]?.id ?? '', memoryMi: 64 }
const created = await berth.mutation(deploy, { input })
if (created.error) throw created.error
const id = created.data?.createVm?.vm.id ?? ''
await berth.query(wait, { id: created.data?.createVm?.operation.id ?? '' })
const found = await berth.query(read, { id })
const again = await berth.mutation(deploy, { input })
await berth.mutation(remove, { id })
const left = await berth.query(read, { id })
if (!methods.has('GET')) throw new Error('no query was sent with GET')
process.stdout.write(
  JSON.stringify({
    deployed: found.data?.vm?.state,
    conflict: again.error?.graphQLErrors[0]?.extensions['code'],
    deleted: left.data?.vm === null ? 'not_found' : left.data?.vm?.state,
  }),
)
`
