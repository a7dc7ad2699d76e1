import { listResponse } from '../../../engine/rest/list-response.ts'
import { refusal } from '../../../engine/http/faults.ts'
import { messageOf } from '../../../engine/model/message.ts'
import { ResponseShape } from '../../../engine/rest/response-shape.ts'
import { RequestBody } from '../../../engine/rest/request-body.ts'
import { pageFields, pageVariables } from '../../../engine/rest/request-query.ts'
import { type PageInfo, type RestInput, type RestRoute, route } from '../../../engine/rest/route.ts'
import { scalar } from '../../../engine/rest/scalar.ts'
import { list, object, oneOf } from '../../../engine/rest/json-schema.ts'
import { maxSecurityGroups } from '../vm-limits.ts'
import { vmExplanation } from '../explanation.ts'
import { vms } from './vm.ts'

const { flag, id, text, time } = scalar

const restart = new RequestBody(
  { 'force?': { ...flag, description: 'Do not give the guest time to shut down.' } },
  { mayBeMissing: true },
)

const chosenGroups = new RequestBody({
  security_group_ids: {
    ...list(id),
    minItems: 1,
    maxItems: maxSecurityGroups,
    description: 'The complete list of groups.',
  },
})

const chosenNetwork = new RequestBody({
  network_id: { ...id, description: 'The id of a private network or of the public network.' },
})

const applies = {
  ...oneOf('at_once', 'while_running', 'next_start'),
  description: 'When the change takes effect.',
}

const isoChange = new ResponseShape('EjectVmIsoPayload', { applies })

const nicChange = new ResponseShape('AttachNetworkPayload', {
  applies,
  'waits_for?': { ...text, description: 'Why the NIC waits for the next start.' },
  'because?': { ...text, description: 'The reason as a sentence.' },
})

const ofNetwork = {
  startsOperation: true,
  beside: nicChange,
  input: ({ params, body }: RestInput) => ({
    input: { vmName: params['name'], networkId: params['network_id'], ...body },
  }),
  names: { vmName: 'name' },
} as const

const event = new ResponseShape('VmEvent', {
  id,
  at: time,
  code: text,
  summary: { ...text, description: 'The event as a sentence.' },
  from_state: text,
  to_state: text,
  'explanation?': { schema: vmExplanation.schema, selection: vmExplanation.selection },
})

const group = new ResponseShape('VmSecurityGroup', { id, name: text })

interface Security {
  groups: object[]
  in_force: boolean
}

/** The document returns null to a caller who may not read security groups. */
function mustBeReadable(security: Security | null): Security {
  if (security) return security
  throw refusal(
    'forbidden',
    messageOf('access.permission_missing', { permission: 'security_groups:read' }),
  )
}

/** The actions on a VM that the older interface does not have. */
export const vmActionRoutes: RestRoute[] = [
  vms.act('Restart a VM', '/restart', {
    mutation: 'RestartVm',
    body: restart,
    startsOperation: true,
  }),
  vms.act('Pause a running VM', '/pause', { mutation: 'PauseVm', startsOperation: true }),
  vms.act('Resume a paused VM', '/resume', { mutation: 'ResumeVm', startsOperation: true }),
  vms.act('Remove the ISO from which a VM was installed', '/eject-iso', {
    mutation: 'EjectVmIso',
    beside: isoChange,
    startsOperation: true,
  }),
  vms.act('Restore a VM that another client has changed in the cluster', '/drift/revert', {
    mutation: 'RevertVmDrift',
    startsOperation: true,
  }),
  vms.act('Take over what another client has changed in the cluster', '/drift/accept', {
    mutation: 'AcceptVmDrift',
    startsOperation: true,
  }),
  route<{ answer: { security: Security | null } }>({
    method: 'GET',
    path: '/api/v1/vms/{name}/security-groups',
    summary: 'List the security groups of a VM',
    tag: 'VMs',
    run: `query GetVmSecurityGroups($name: String!) {
      answer: vmByName(name: $name) { security { groups { ${group.selection} } in_force: inForce } } }`,
    input: ({ params }) => ({ name: params['name'] }),
    output: ({ answer }) => {
      const { groups, in_force } = mustBeReadable(answer.security)
      return { security_groups: group.toWireAll(groups), in_force }
    },
    status: 200,
    response: object({
      security_groups: { ...list(group.schema), description: 'The groups of the VM.' },
      in_force: { ...flag, description: 'True when the cluster has the current rules.' },
    }),
  }),
  {
    ...vms.act('Replace the security groups of a VM, which may be running', '/security-groups', {
      mutation: 'SetVmSecurityGroups',
      body: chosenGroups,
      startsOperation: true,
    }),
    method: 'PATCH',
  },
  vms.act('Attach a VM to a network', '/networks', {
    mutation: 'AttachNetwork',
    body: chosenNetwork,
    ...ofNetwork,
  }),
  {
    ...vms.act('Detach a VM from a network', '/networks/{network_id}', {
      mutation: 'DetachNetwork',
      ...ofNetwork,
    }),
    method: 'DELETE',
  },
  route<{ answer: { nodes: object[]; pageInfo: PageInfo } }>({
    method: 'GET',
    path: '/api/v1/vms/{name}/events',
    summary: 'List what happened to a VM without a request, newest first',
    tag: 'VMs',
    run: `query ListVmEvents($name: String!, $first: Int, $after: String) {
      answer: vmEventsByName(name: $name, first: $first, after: $after) { nodes { ${event.selection} } ${pageFields} } }`,
    input: ({ params, query }) => ({ name: params['name'], ...pageVariables(query) }),
    output: ({ answer }) => ({ events: event.toWireAll(answer.nodes) }),
    pageOf: ({ answer }) => answer.pageInfo,
    status: 200,
    response: listResponse('VmEvent', 'events', event.schema),
  }),
]
