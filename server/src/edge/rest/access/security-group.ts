import { field } from '../../../engine/rest/field.ts'
import { listing, pageFields } from '../../../engine/rest/input.ts'
import { type JobRow, jobFields } from '../../../engine/rest/later.ts'
import { type PageInfo, type RestInput, type RestRoute, route } from '../../../engine/rest/route.ts'
import { scalar } from '../../../engine/rest/scalar.ts'
import { list, object, oneOf } from '../../../engine/rest/shapes.ts'
import { success } from '../../../engine/rest/success.ts'

const { id, text, time, whole } = scalar

const fields = `id tenant_id: tenantId vpc_id: vpcId name description version created_at: createdAt
  rules { direction protocol port_from: portFrom port_to: portTo singlePort cidr peer_group_id: peerGroupId }`

interface Rule {
  port_from: number | null
  port_to: number | null
  singlePort: boolean
  cidr: string | null
  peer_group_id: string | null
}

interface Group {
  vpc_id: string | null
  rules: Rule[]
  version: number
}

const wireRule = ({
  port_from,
  port_to,
  singlePort,
  cidr,
  peer_group_id,
  ...rule
}: Rule): object => ({
  ...rule,
  port_from: port_from ?? undefined,
  port_to: singlePort ? undefined : (port_to ?? undefined),
  cidr: cidr ?? undefined,
  peer_group_id: peer_group_id ?? undefined,
})

const wireGroup = (row: Group): object =>
  Object.assign<Group, object>(row, {
    vpc_id: row.vpc_id ?? undefined,
    rules: row.rules.map(wireRule),
    version: undefined,
  })

const directions = ['ingress', 'egress'] as const
const protocols = ['tcp', 'udp', 'icmp', 'all'] as const

/** What nobody knows counts as what is usual. */
const oneAmong = (words: readonly string[], word: string | undefined): string | undefined =>
  word !== undefined && words.includes(word) ? word : words[0]

/** Null and absent leave them as they are. */
const rulesIn = (body: RestInput['body']): object[] | undefined =>
  field.objects(body, 'rules')?.map(({ item, at }) => ({
    direction: oneAmong(directions, field.text(item, 'direction', at)),
    protocol: oneAmong(protocols, field.text(item, 'protocol', at)),
    portFrom: field.positive(item, 'port_from', at),
    portTo: field.positive(item, 'port_to', at),
    cidr: field.text(item, 'cidr', at),
    peerGroupId: field.text(item, 'peer_group_id', at),
  }))

/** Of a group that is made without any. */
const usualRules = [
  { direction: 'ingress', protocol: 'tcp', portFrom: 80, portTo: 80, cidr: '0.0.0.0/0' },
]

const ports = { 'port_from?': whole, 'port_to?': whole }

const rule = object({
  direction: oneOf(...directions),
  protocol: oneOf(...protocols),
  ...ports,
  'cidr?': text,
  'peer_group_id?': id,
})

const askedRule = object({
  'direction?': text,
  'protocol?': text,
  ...ports,
  'cidr?': text,
  'peer_group_id?': id,
})

const group = object({
  id,
  tenant_id: id,
  'vpc_id?': id,
  name: text,
  'description?': text,
  rules: list(rule),
  created_at: time,
})

export const securityGroupRoutes: RestRoute[] = [
  route<{ securityGroups: { nodes: Group[]; pageInfo: PageInfo } }>({
    method: 'GET',
    path: '/api/v1/security-groups',
    summary: 'List the security groups of the tenant, the default one first',
    tag: 'Security groups',
    run: `query ListSecurityGroups($first: Int, $after: String, $filter: SecurityGroupFilter, $orderBy: SecurityGroupOrder) {
      securityGroups(first: $first, after: $after, filter: $filter, orderBy: $orderBy) { nodes { ${fields} } ${pageFields} } }`,
    input: ({ query }) => listing.variables(query),
    output: ({ securityGroups }) => ({ security_groups: securityGroups.nodes.map(wireGroup) }),
    pageOf: ({ securityGroups }) => securityGroups.pageInfo,
    status: 200,
    query: listing.query,
    response: object({ security_groups: list(group) }),
  }),
  route<{ securityGroup: Group }>({
    method: 'GET',
    path: '/api/v1/security-groups/{id}',
    summary: 'Get a security group',
    tag: 'Security groups',
    run: `query GetSecurityGroup($id: ID!) { securityGroup(id: $id) { ${fields} } }`,
    input: ({ params }) => ({ id: params.id }),
    versionOf: ({ securityGroup }) => securityGroup.version,
    output: ({ securityGroup }) => ({ security_group: wireGroup(securityGroup) }),
    status: 200,
    response: object({ security_group: group }),
  }),
  route<{ createSecurityGroup: { securityGroup: Group } }>({
    method: 'POST',
    path: '/api/v1/security-groups',
    summary: 'Make a security group; without rules it lets web pages in',
    tag: 'Security groups',
    run: `mutation CreateSecurityGroup($input: CreateSecurityGroupInput!) {
      createSecurityGroup(input: $input) { securityGroup { ${fields} } } }`,
    input: ({ body }) => {
      const rules = rulesIn(body) ?? []
      const named = {
        name: field.required(body, 'name'),
        description: field.text(body, 'description'),
        vpcId: field.text(body, 'vpc_id'),
      }
      return { input: { ...named, rules: rules.length === 0 ? usualRules : rules } }
    },
    output: ({ createSecurityGroup }) => ({
      security_group: wireGroup(createSecurityGroup.securityGroup),
    }),
    status: 201,
    request: object({ name: text, 'description?': text, 'vpc_id?': id, 'rules?': list(askedRule) }),
    response: object({ security_group: group }),
  }),
  route<{ updateSecurityGroup: { securityGroup: Group; operation: JobRow | null } }>({
    method: 'PATCH',
    path: '/api/v1/security-groups/{id}',
    summary: 'Change a security group; a description that is not sent is erased',
    tag: 'Security groups',
    run: `mutation UpdateSecurityGroup($input: UpdateSecurityGroupInput!, $waitSeconds: Int) {
      updateSecurityGroup(input: $input, waitSeconds: $waitSeconds) { securityGroup { ${fields} } ${jobFields} } }`,
    input: ({ params, body, ifVersion }) => ({
      input: {
        id: params.id,
        ifVersion,
        name: field.text(body, 'name'),
        description: field.text(body, 'description') ?? '',
        rules: rulesIn(body),
      },
    }),
    versionOf: ({ updateSecurityGroup }) => updateSecurityGroup.securityGroup.version,
    output: ({ updateSecurityGroup }) => ({
      security_group: wireGroup(updateSecurityGroup.securityGroup),
    }),
    later: { operationOf: ({ updateSecurityGroup }) => updateSecurityGroup.operation },
    status: 200,
    request: object({ 'name?': text, 'description?': text, 'rules?': list(askedRule) }),
    response: object({ security_group: group }),
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
