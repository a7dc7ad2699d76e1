import { ResponseShape, hidden, listOf } from '../../../engine/rest/response-shape.ts'
import { NounRoutes } from '../../../engine/rest/noun-routes.ts'
import {
  RequestBody,
  freeText,
  listOfBodies,
  orBlank,
  orEmpty,
} from '../../../engine/rest/request-body.ts'
import { type RestRoute, type Versioned } from '../../../engine/rest/route.ts'
import { scalar } from '../../../engine/rest/scalar.ts'
import { oneOf } from '../../../engine/rest/json-schema.ts'
import { usualFilters } from '../list-filters.ts'
import { writtenCidr } from '../written-cidr.ts'

const { id, text, time, whole } = scalar

const directions = ['ingress', 'egress'] as const
const protocols = ['tcp', 'udp', 'icmp', 'all'] as const

const port = (meaning: string) => ({
  ...whole,
  description: `${meaning} It has no effect beside \`icmp\`.`,
})
const ports = {
  'port_from?': port('The first port.'),
  'port_to?': port('The last port; the first one by default.'),
}

interface Rule {
  port_to: number | null | undefined
  singlePort: boolean
}

const rule = new ResponseShape<Rule>(
  'SecurityGroupRule',
  {
    direction: oneOf(...directions),
    protocol: oneOf(...protocols),
    ...ports,
    'cidr?': writtenCidr,
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
  'SecurityGroup',
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
  'direction?': {
    schema: { ...oneOf(...directions), default: directions[0] },
    convert: (sent) => sent ?? directions[0],
  },
  'protocol?': {
    schema: { ...oneOf(...protocols), default: protocols[0] },
    convert: (sent) => sent ?? protocols[0],
  },
  ...ports,
  'cidr?': text,
  'peer_group_id?': id,
})

const requestRules = listOfBodies(requestRule, 'SecurityGroupRuleInput')

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

const groups = new NounRoutes({
  tag: 'Security groups',
  path: '/api/v1/security-groups',
  type: 'SecurityGroup',
  shape: group,
})

export const securityGroupRoutes: RestRoute[] = [
  groups.list('List the security groups of the tenant, the default one first', {
    filters: usualFilters,
  }),
  groups.get('Get a security group'),
  groups.create('Create a security group; without a list of rules it allows HTTP from everywhere', {
    body: newGroup,
  }),
  groups.update('Change a security group', { body: groupChange, startsOperation: true }),
  groups.delete('Delete a security group that no VM has'),
]
