import { type ForeignIdCase } from './foreign-id-case.ts'

/** Fields that take the id of a VPC, a network or a security group and nothing of the caller's. */
export const foreignNetworkCases: readonly ForeignIdCase[] = [
  [
    'vpc',
    'createSecurityGroup.vpcId',
    (id) => [
      'mutation ($i: CreateSecurityGroupInput!) { createSecurityGroup(input: $i) { securityGroup { id } } }',
      { i: { name: 'planted', vpcId: id } },
    ],
  ],
  [
    'securityGroup',
    'securityGroup',
    (id) => ['query ($id: ID!) { securityGroup(id: $id) { id } }', { id }],
  ],
  [
    'securityGroup',
    'updateSecurityGroup',
    (id) => [
      'mutation ($i: UpdateSecurityGroupInput!) { updateSecurityGroup(input: $i) { securityGroup { id } } }',
      { i: { id, description: 'mine' } },
    ],
  ],
  [
    'securityGroup',
    'deleteSecurityGroup',
    (id) => [
      'mutation ($i: DeleteSecurityGroupInput!) { deleteSecurityGroup(input: $i) { securityGroup { id } } }',
      { i: { id } },
    ],
  ],
  ['vpc', 'vpc', (id) => ['query ($id: ID!) { vpc(id: $id) { id } }', { id }]],
  [
    'vpc',
    'networkCidrPlan',
    (id) => ['query ($id: ID!) { networkCidrPlan(vpcId: $id) { auto } }', { id }],
  ],
  [
    'vpc',
    'networks.vpcId',
    (id) => [
      'query ($id: ID!) { networks(filter: { vpcId: $id }) { totalCount nodes { id } } }',
      { id },
    ],
  ],
  [
    'vpc',
    'updateVpc',
    (id) => [
      'mutation ($i: UpdateVpcInput!) { updateVpc(input: $i) { vpc { id } } }',
      { i: { id, name: 'mine' } },
    ],
  ],
  [
    'vpc',
    'deleteVpc',
    (id) => [
      'mutation ($i: DeleteVpcInput!) { deleteVpc(input: $i) { vpc { id } } }',
      { i: { id } },
    ],
  ],
  [
    'vpc',
    'createNetwork.vpcId',
    (id) => [
      'mutation ($i: CreateNetworkInput!) { createNetwork(input: $i) { network { id } } }',
      { i: { name: 'planted', vpcId: id } },
    ],
  ],
  ['network', 'network', (id) => ['query ($id: ID!) { network(id: $id) { id } }', { id }]],
  [
    'network',
    'networkAddresses',
    (id) => ['query ($id: ID!) { networkAddresses(networkId: $id) { totalCount } }', { id }],
  ],
  [
    'network',
    'updateNetwork',
    (id) => [
      'mutation ($i: UpdateNetworkInput!) { updateNetwork(input: $i) { network { id } } }',
      { i: { id, name: 'mine' } },
    ],
  ],
  [
    'network',
    'deleteNetwork',
    (id) => [
      'mutation ($i: DeleteNetworkInput!) { deleteNetwork(input: $i) { network { id } } }',
      { i: { id } },
    ],
  ],
]
