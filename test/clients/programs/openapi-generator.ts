/** A program that uses the TypeScript client of openapi-generator. */
export const openapiGeneratorProgram = `
import {
  Configuration, OperationsApi, ResponseError, VMTemplatesApi, VMsApi,
  type CreateVm, type Problem, type Vm, type VmTemplate, ProblemFromJSON,
} from './berth/index.ts'

declare const process: { env: Record<string, string>, stdout: { write: (text: string) => void } }
const { BERTH_URL: basePath = '', BERTH_TOKEN: accessToken = '', BERTH_VM: name = '' } = process.env
const configuration = new Configuration({ basePath, accessToken })
const vms = new VMsApi(configuration)

async function refusal(answer: Promise<unknown>): Promise<Problem> {
  try {
    await answer
  } catch (error) {
    if (error instanceof ResponseError) return ProblemFromJSON(await error.response.json())
    throw error
  }
  throw new Error('the request was not refused')
}

const { vmTemplates } = await new VMTemplatesApi(configuration).listVmTemplates({ filter: 'cirros' })
const template: VmTemplate | undefined = vmTemplates[0]
const createVm: CreateVm = { name, templateId: template?.id ?? '', memoryMi: 64 }
await vms.createVm({ createVm, prefer: 'wait=60' })
const { operations } = await new OperationsApi(configuration).listOperations({})
const vm: Vm = (await vms.getVm({ name })).vm
if (operations[0]?.targetId !== vm.id) throw new Error('the operation is missing')

const problem = await refusal(vms.createVm({ createVm }))
await vms.deleteVm({ deleteVm: { name } })
const gone = await refusal(vms.getVm({ name }))
process.stdout.write(JSON.stringify({ deployed: vm.state, conflict: problem.code, deleted: gone.code }))
`
