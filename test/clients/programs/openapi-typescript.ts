/** A program that uses the types of openapi-typescript through openapi-fetch. */
export const openapiTypescriptProgram = `
import createClient from 'openapi-fetch'
import type { components, paths } from './api.ts'

type Schemas = components['schemas']
type Vm = Schemas['Vm']

declare const process: { env: Record<string, string>, stdout: { write: (text: string) => void } }
const { BERTH_URL: baseUrl = '', BERTH_TOKEN: token = '', BERTH_VM: name = '' } = process.env
const berth = createClient<paths>({ baseUrl, headers: { authorization: 'Bearer ' + token } })

const listed = await berth.GET('/api/v1/vm-templates', { params: { query: { filter: 'cirros' } } })
const template: Schemas['VmTemplate'] | undefined = listed.data?.vm_templates[0]
const body: Schemas['CreateVm'] = { name, template_id: template?.id ?? '', memory_mi: 64 }

const created = await berth.POST('/api/v1/vms', { body, params: { header: { Prefer: 'respond-async' } } })
if (!created.data || !('operation' in created.data)) throw new Error(JSON.stringify(created.error))
const operation: Schemas['Operation'] = created.data.operation

await berth.GET('/api/v1/operations/{id}', { params: { path: { id: operation.id }, query: { wait: 60 } } })
const path = { params: { path: { name } } }
const vm: Vm | undefined = (await berth.GET('/api/v1/vms/{name}', path)).data?.vm
const address: string | undefined = vm?.nics?.[0]?.ip
if (!address) throw new Error('the VM has no address')
// @ts-expect-error Done is not a state
if (vm?.state === 'Done') throw new Error('impossible')

const again = await berth.POST('/api/v1/vms', { body })
const problem: Schemas['Problem'] | undefined = again.error
await berth.POST('/api/v1/vms/delete', { body: { name } })
const gone = await berth.GET('/api/v1/vms/{name}', path)
const result = { deployed: vm?.state, conflict: problem?.code, deleted: gone.error?.code }
process.stdout.write(JSON.stringify(result))
`
