import { ResponseShape, hidden, listOf } from '../../../engine/rest/response-shape.ts'
import { type Body, field } from '../../../engine/rest/field.ts'
import { listing, pageFields } from '../../../engine/rest/input.ts'
import { type JobRow, jobFields } from '../../../engine/rest/job.ts'
import { RequestBody, type RequestField, textOr } from '../../../engine/rest/request-body.ts'
import { type PageInfo, type RestRoute, type Versioned, route } from '../../../engine/rest/route.ts'
import { scalar } from '../../../engine/rest/scalar.ts'
import { list, object, oneOf } from '../../../engine/rest/json-schema.ts'
import { success } from '../../../engine/rest/success.ts'

const { id, text, time, whole } = scalar

const directions = ['ingress', 'egress'] as const
const protocols = ['tcp', 'udp', 'icmp', 'all'] as const

const ports = { 'port_from?': whole, 'port_to?': whole }

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

/** Any other value means the first one. */
const oneOfOrFirst = (words: readonly string[]): RequestField => ({
  schema: text,
  read: (body, name, at) => {
    const word = field.text(body, name, at)
    return word !== undefined && words.includes(word) ? word : words[0]
  },
})

const requestRule = new RequestBody({
  'direction?': oneOfOrFirst(directions),
  'protocol?': oneOfOrFirst(protocols),
  ...ports,
  'cidr?': text,
  'peer_group_id?': id,
})

/** The rules do not change when the list is null or missing. */
const rulesIn = (body: Body): object[] | undefined =>
  field.objects(body, 'rules')?.map(({ item, at }) => requestRule.read(item, at))

/** The rules of a group that is created without rules. */
const defaultRules = [
  { direction: 'ingress', protocol: 'tcp', portFrom: 80, portTo: 80, cidr: '0.0.0.0/0' },
]

const requestRules = list(requestRule.schema)

const newGroup = new RequestBody({
  'rules?': {
    schema: requestRules,
    before: null,
    read: (body) => {
      const rules = rulesIn(body) ?? []
      return rules.length === 0 ? defaultRules : rules
    },
  },
  name: text,
  'description?': text,
  'vpc_id?': id,
})

const groupChange = new RequestBody({
  'name?': text,
  'description?': textOr(text, ''),
  'rules?': { schema: requestRules, read: rulesIn },
})

export const securityGroupRoutes: RestRoute[] = [
  route<{ securityGroups: { nodes: Group[]; pageInfo: PageInfo } }>({
    method: 'GET',
    path: '/api/v1/security-groups',
    summary: 'List the security groups of the tenant, the default one first',
    tag: 'Security groups',
    run: `query ListSecurityGroups($first: Int, $after: String, $filter: SecurityGroupFilter, $orderBy: SecurityGroupOrder) {
      securityGroups(first: $first, after: $after, filter: $filter, orderBy: $orderBy) { nodes { ${group.selection} } ${pageFields} } }`,
    input: ({ query }) => listing.variables(query),
    output: ({ securityGroups }) => ({ security_groups: group.toWireAll(securityGroups.nodes) }),
    pageOf: ({ securityGroups }) => securityGroups.pageInfo,
    status: 200,
    query: listing.query,
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
    summary: 'Create a security group; without rules it allows HTTP from everywhere',
    tag: 'Security groups',
    run: `mutation CreateSecurityGroup($input: CreateSecurityGroupInput!) {
      createSecurityGroup(input: $input) { securityGroup { ${group.selection} } } }`,
    input: ({ body }) => ({ input: newGroup.read(body) }),
    output: ({ createSecurityGroup }) => ({
      security_group: group.toWire(createSecurityGroup.securityGroup),
    }),
    status: 201,
    request: newGroup.schema,
    response: object({ security_group: group.schema }),
  }),
  route<{ updateSecurityGroup: { securityGroup: Group; operation: JobRow | null } }>({
    method: 'PATCH',
    path: '/api/v1/security-groups/{id}',
    summary: 'Change a security group; a description that is not sent is erased',
    tag: 'Security groups',
    run: `mutation UpdateSecurityGroup($input: UpdateSecurityGroupInput!, $waitSeconds: Int) {
      updateSecurityGroup(input: $input, waitSeconds: $waitSeconds) { securityGroup { ${group.selection} } ${jobFields} } }`,
    input: ({ params, body, ifVersion }) => ({
      input: { id: params.id, ifVersion, ...groupChange.read(body) },
    }),
    versionOf: ({ updateSecurityGroup }) => updateSecurityGroup.securityGroup.version,
    output: ({ updateSecurityGroup }) => ({
      security_group: group.toWire(updateSecurityGroup.securityGroup),
    }),
    accepted: { operationOf: ({ updateSecurityGroup }) => updateSecurityGroup.operation },
    status: 200,
    request: groupChange.schema,
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
    output: () => ({ success: true }),
    status: 200,
    response: success,
  }),
]
