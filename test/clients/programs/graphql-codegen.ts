/** A program that uses the types of graphql-codegen with Apollo Client. */
export const apolloProgram = `
import { ApolloClient, CombinedGraphQLErrors, HttpLink, InMemoryCache } from '@apollo/client'
import { graphql } from './gql/gql.ts'
import type { CreateVmInput, VmState } from './gql/graphql.ts'

declare const process: { env: Record<string, string>, stdout: { write: (text: string) => void } }
const { BERTH_URL: url = '', BERTH_TOKEN: token = '', BERTH_VM: name = '' } = process.env
const link = new HttpLink({ uri: url + '/graphql', headers: { authorization: 'Bearer ' + token } })
const berth = new ApolloClient({ link, cache: new InMemoryCache() })

const templates = graphql(\`query Templates { vmTemplates(filter: { search: "cirros" }) { nodes { id } } }\`)
const deploy = graphql(\`mutation Deploy($input: CreateVmInput!) { createVm(input: $input) { vm { id } operation { id } } }\`)
const wait = graphql(\`query Wait($id: ID!) { operation(id: $id, waitSeconds: 60) { id state } }\`)
const read = graphql(\`query Read($id: ID!) { vm(id: $id) { id name state } }\`)
const remove = graphql(\`mutation Remove($id: ID!) { deleteVm(input: { id: $id }, waitSeconds: 60) { operation { id state } } }\`)

const { data: listed } = await berth.query({ query: templates })
const input: CreateVmInput = { name, templateId: listed?.vmTemplates.nodes[0]?.id, memoryMi: 64 }
const { data: created } = await berth.mutate({ mutation: deploy, variables: { input } })
const id = created?.createVm?.vm.id ?? ''
await berth.query({ query: wait, variables: { id: created?.createVm?.operation.id ?? '' } })
const { data: found } = await berth.query({ query: read, variables: { id } })
const state: VmState | undefined = found?.vm?.state

const conflict = await berth.mutate({ mutation: deploy, variables: { input } }).then(
  () => 'deployed twice',
  (error: unknown) => CombinedGraphQLErrors.is(error) && error.errors[0]?.extensions?.['code'],
)
await berth.mutate({ mutation: remove, variables: { id } })
const { data: left } = await berth.query({ query: read, variables: { id }, fetchPolicy: 'network-only' })
const deleted = left?.vm === null ? 'not_found' : left?.vm?.state
process.stdout.write(JSON.stringify({ deployed: state, conflict, deleted }))
`
