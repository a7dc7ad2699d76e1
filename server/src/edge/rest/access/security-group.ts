import { ResponseShape, hidden, listOf } from '../../../engine/rest/response-shape.ts'
import { listParameters, listVariables, pageFields } from '../../../engine/rest/request-query.ts'
import { type JobRow, jobFields } from '../../../engine/rest/job.ts'
import {
  RequestBody,
  freeText,
  listOfBodies,
  orBlank,
  orEmpty,
} from '../../../engine/rest/request-body.ts'
import { type PageInfo, type RestRoute, type Versioned, route } from '../../../engine/rest/route.ts'
import { scalar } from '../../../engine/rest/scalar.ts'
import { list, object, oneOf } from '../../../engine/rest/json-schema.ts'
import { success } from '../../../engine/rest/success.ts'

const { id, text, time, whole } = scalar

const directions = ['ingress', 'egress'] as const
const protocols = ['tcp', 'udp', 'icmp', 'all'] as const

const port = { ...whole, description: 'It has no effect beside `icmp`.' }
const ports = { 'port_from?': port, 'port_to?': port }

interface Rule {
  port_to: number | null | undefined
  singlePort: boolean
}

const rule = new ResponseShape<Rule>(
  {
    direction: oneOf(...directions),
    protocol: oneOf(...protocols),
    ...ports,
    'cidr?': text,
    'peer_group_id?': id,
    singlePort: hidden,
  },
  (row) => {
    if (row.singlePort) row.port_to = undefined
  },
)

interface Group extends Versioned {
  rules: Rule[]
}

const group = new ResponseShape<Group>(
  {
    id,
    tenant_id: id,
    'vpc_id?': id,
    name: text,
    'description?': text,
    version: hidden,
    created_at: { schema: time, before: null },
    rules: listOf(rule),
  },
  (row) => rule.toWireAll(row.rules),
)

/** Rules never have a lenient reading: every value that is not understood is refused. */
const requestRule = new RequestBody({
  'direction?': { schema: oneOf(...directions), convert: (sent) => sent ?? directions[0] },
  'protocol?': { schema: oneOf(...protocols), convert: (sent) => sent ?? protocols[0] },
  ...ports,
  'cidr?': text,
  'peer_group_id?': id,
})

const requestRules = listOfBodies(requestRule)

/** The rules of a group that is created without a list of rules. */
const defaultRules = [
  { direction: 'ingress', protocol: 'tcp', portFrom: 80, portTo: 80, cidr: '0.0.0.0/0' },
]

const newGroup = new RequestBody({
  'rules?': {
    ...requestRules,
    before: null,
    absent: [null],
    convert: (rules) => rules ?? defaultRules,
  },
  name: text,
  'description?': orBlank(text),
  'vpc_id?': orBlank(id),
})

const groupChange = new RequestBody({
  'name?': orEmpty(text),
  'description?': freeText,
  'rules?': { ...requestRules, absent: [null] },
})

export const securityGroupRoutes: RestRoute[] = [
  route<{ securityGroups: { nodes: Group[]; pageInfo: PageInfo } }>({
    method: 'GET',
    path: '/api/v1/security-groups',
    summary: 'List the security groups of the tenant, the default one first',
    tag: 'Security groups',
    run: `query ListSecurityGroups($first: Int, $after: String, $filter: SecurityGroupFilter, $orderBy: SecurityGroupOrder) {
      securityGroups(first: $first, after: $after, filter: $filter, orderBy: $orderBy) { nodes { ${group.selection} } ${pageFields} } }`,
    input: ({ query }) => listVariables(query),
    output: ({ securityGroups }) => ({ security_groups: group.toWireAll(securityGroups.nodes) }),
    pageOf: ({ securityGroups }) => securityGroups.pageInfo,
    status: 200,
    query: listParameters,
    response: object({ security_groups: list(group.schema) }),
  }),
  route<{ securityGroup: Group }>({
    method: 'GET',
    path: '/api/v1/security-groups/{id}',
    summary: 'Get a security group',
    tag: 'Security groups',
    run: `query GetSecurityGroup($id: ID!) { securityGroup(id: $id) { ${group.selection} } }`,
    input: ({ params }) => ({ id: params.id }),
    versionOf: ({ securityGroup }) => securityGroup.version,
    output: ({ securityGroup }) => ({ security_group: group.toWire(securityGroup) }),
    status: 200,
    response: object({ security_group: group.schema }),
  }),
  route<{ createSecurityGroup: { securityGroup: Group } }>({
    method: 'POST',
    path: '/api/v1/security-groups',
    summary: 'Create a security group; without a list of rules it allows HTTP from everywhere',
    tag: 'Security groups',
    run: `mutation CreateSecurityGroup($input: CreateSecurityGroupInput!) {
      createSecurityGroup(input: $input) { securityGroup { ${group.selection} } } }`,
    input: ({ body }) => ({ input: body }),
    output: ({ createSecurityGroup }) => ({
      security_group: group.toWire(createSecurityGroup.securityGroup),
    }),
    status: 201,
    created: '/api/v1/security-groups/{id}',
    request: newGroup,
    response: object({ security_group: group.schema }),
  }),
  route<{ updateSecurityGroup: { securityGroup: Group; operation: JobRow | null } }>({
    method: 'PATCH',
    path: '/api/v1/security-groups/{id}',
    summary: 'Change a security group',
    tag: 'Security groups',
    run: `mutation UpdateSecurityGroup($input: UpdateSecurityGroupInput!, $waitSeconds: Int) {
      updateSecurityGroup(input: $input, waitSeconds: $waitSeconds) { securityGroup { ${group.selection} } ${jobFields} } }`,
    input: ({ params, body }) => ({ input: { id: params.id, ...body } }),
    takesVersion: true,
    versionOf: ({ updateSecurityGroup }) => updateSecurityGroup.securityGroup.version,
    output: ({ updateSecurityGroup }) => ({
      security_group: group.toWire(updateSecurityGroup.securityGroup),
    }),
    accepted: { operationOf: ({ updateSecurityGroup }) => updateSecurityGroup.operation },
    status: 200,
    request: groupChange,
    response: object({ security_group: group.schema }),
  }),
  route<object>({
    method: 'DELETE',
    path: '/api/v1/security-groups/{id}',
    summary: 'Delete a security group that no VM has',
    tag: 'Security groups',
    run: `mutation DeleteSecurityGroup($input: DeleteSecurityGroupInput!) {
      deleteSecurityGroup(input: $input) { securityGroup { id } } }`,
    input: ({ params }) => ({ input: { id: params.id } }),
    takesVersion: true,
    output: () => ({ success: true }),
    status: 200,
    response: success,
  }),
]
