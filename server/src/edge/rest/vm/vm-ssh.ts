import { refusal } from '../../../engine/http/faults.ts'
import { ResponseShape } from '../../../engine/rest/response-shape.ts'
import { type OperationRow, operationField } from '../../../engine/rest/operation-body.ts'
import { RequestBody } from '../../../engine/rest/request-body.ts'
import { type RestRoute, defaultWaitSeconds, route } from '../../../engine/rest/route.ts'
import { scalar } from '../../../engine/rest/scalar.ts'
import { object } from '../../../engine/rest/json-schema.ts'
import { success } from '../../../engine/rest/success.ts'
import { messageOf, textMessage } from '../../../engine/model/message.ts'
import { namespaceField } from '../namespace-field.ts'

const { flag, text, whole } = scalar

const ssh = new ResponseShape('VmSsh', {
  exposed: flag,
  'node_port?': whole,
  'vm_ip?': { schema: text, from: 'address' },
})

const exposure = new RequestBody(
  { 'node_port?': { schema: whole, absent: [0] }, ...namespaceField },
  { mayBeMissing: true },
)

interface Exposed {
  name: string
  ssh: { state: string; nodePort: number | null; explanation: string | null }
}

export const vmSshRoutes: RestRoute[] = [
  route<{ vmByName: { ssh: object } }>({
    method: 'GET',
    path: '/api/v1/vms/{name}/ssh',
    summary: 'Get the node port for SSH of a VM',
    tag: 'VMs',
    run: `query GetVmSsh($name: String!) { vmByName(name: $name) { ssh { ${ssh.selection} } } }`,
    input: ({ params }) => ({ name: params.name }),
    output: ({ vmByName }) => ssh.toWire(vmByName.ssh),
    status: 200,
    response: ssh.schema,
  }),
  route<{ exposeVmSsh: { vm: Exposed; operation: OperationRow } }>({
    method: 'POST',
    path: '/api/v1/vms/{name}/ssh',
    summary: 'Open a node port for SSH of a VM, which may be stopped',
    tag: 'VMs',
    run: `mutation ExposeVmSsh($input: ExposeVmSshInput!, $waitSeconds: Int) {
      exposeVmSsh(input: $input, waitSeconds: $waitSeconds) { vm { name ssh { state nodePort explanation } } ${operationField} } }`,
    input: ({ params, body }) => ({
      input: { name: params.name, ...body },
    }),
    output: ({ exposeVmSsh: { vm } }) => ({ node_port: portOf(vm) }),
    accepted: { operationOf: ({ exposeVmSsh }) => exposeVmSsh.operation },
    defaultWaitSeconds,
    status: 200,
    request: exposure,
    response: object({
      node_port: { ...whole, description: 'The port on every node that leads to SSH of the VM.' },
    }),
  }),
  route<{ unexposeVmSsh: { operation: OperationRow } }>({
    method: 'DELETE',
    path: '/api/v1/vms/{name}/ssh',
    summary: 'Release the node port for SSH of a VM',
    tag: 'VMs',
    run: `mutation UnexposeVmSsh($input: UnexposeVmSshInput!, $waitSeconds: Int) {
      unexposeVmSsh(input: $input, waitSeconds: $waitSeconds) { ${operationField} } }`,
    input: ({ params }) => ({ input: { name: params.name } }),
    output: () => ({ success: true }),
    accepted: { operationOf: ({ unexposeVmSsh }) => unexposeVmSsh.operation },
    defaultWaitSeconds,
    status: 200,
    response: success,
  }),
]

/**
 * The response contains only the port. Older clients retry for minutes while the message contains
 * "no IP".
 */
function portOf({ name, ssh: { state, nodePort, explanation } }: Exposed): number {
  if (state === 'refused' && explanation) throw refusal('conflict', textMessage(explanation))
  if (state === 'closing' || state === 'closed')
    throw refusal('conflict', messageOf('ssh.disabled_meanwhile', { name }))
  if (nodePort !== null && (state === 'open' || state === 'waiting')) return nodePort
  throw refusal('cluster_unavailable', messageOf('ssh.not_reachable_yet', { name }))
}
