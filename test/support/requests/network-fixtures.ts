import { type Json } from '../json.ts'
import { type Act, type Place, by, madeBy, under, words } from './request-fixture.ts'
import { unique } from '../world/world.ts'

const vpcKeys = 'id tenant_id name cidr namespace state created_at'
const networkKeys =
  'id tenant_id vpc_id name network_type cidr nad_namespace nad_name state created_at'
const groupKeys = `id tenant_id name description rules created_at
  rules.direction rules.protocol rules.port_from rules.port_to rules.cidr`
const suggestionKeys = under('suggestions', 'cidr label available')

export const aVpc = async ({ tenant }: Place): Promise<Json> =>
  (await madeBy(tenant.admin, '/vpcs', { name: unique('vpc') })).vpc
export const aNetwork = async (place: Place): Promise<Json> =>
  (
    await madeBy(place.tenant.admin, '/networks', {
      name: unique('network'),
      vpc_id: (await aVpc(place)).id,
    })
  ).network
export const aSecurityGroup = async ({ tenant }: Place): Promise<Json> =>
  (await madeBy(tenant.admin, '/security-groups', { name: unique('group'), description: 'Ours' }))
    .security_group

export const networkActs: Readonly<Record<string, Act>> = {
  'GET /api/v1/vpcs': {
    ...by.anyone,
    status: 200,
    arrange: async (place) => ({
      path: `/vpcs?filter=${(await aVpc(place)).name}`,
      keys: under('vpcs', vpcKeys),
    }),
  },
  'GET /api/v1/vpcs/cidr-plan': {
    ...by.anyone,
    status: 200,
    arrange: () => ({ path: '/vpcs/cidr-plan', keys: [...suggestionKeys, 'existing'] }),
  },
  'GET /api/v1/vpcs/{id}': {
    ...by.anyone,
    status: 200,
    arrange: async (place) => ({
      path: `/vpcs/${(await aVpc(place)).id}`,
      keys: under('vpc', vpcKeys),
    }),
  },
  'POST /api/v1/vpcs': {
    ...by.admin,
    status: 201,
    arrange: () => ({
      path: '/vpcs',
      body: { name: unique('vpc') },
      keys: [...under('vpc', vpcKeys), ...under('default_network', networkKeys)],
    }),
  },
  'PATCH /api/v1/vpcs/{id}': {
    ...by.admin,
    status: 200,
    arrange: async (place) => ({
      path: `/vpcs/${(await aVpc(place)).id}`,
      body: { name: unique('Renamed “it” ') },
      keys: under('vpc', vpcKeys),
    }),
  },
  'DELETE /api/v1/vpcs/{id}': {
    ...by.admin,
    status: 200,
    arrange: async (place) => ({ path: `/vpcs/${(await aVpc(place)).id}`, keys: ['success'] }),
  },
  'GET /api/v1/networks': {
    ...by.anyone,
    status: 200,
    arrange: async (place) => ({
      path: `/networks?filter=${(await aNetwork(place)).name}`,
      keys: under('networks', networkKeys),
    }),
  },
  'GET /api/v1/networks/cidr-plan': {
    ...by.anyone,
    status: 200,
    arrange: async (place) => ({
      path: `/networks/cidr-plan?vpc_id=${(await aVpc(place)).id}`,
      keys: [...words('vpc_cidr prefix auto used'), ...suggestionKeys],
    }),
  },
  'GET /api/v1/networks/{id}': {
    ...by.anyone,
    status: 200,
    arrange: async (place) => ({
      path: `/networks/${(await aNetwork(place)).id}`,
      keys: under('network', networkKeys),
    }),
  },
  'POST /api/v1/networks': {
    ...by.admin,
    status: 201,
    arrange: async (place) => ({
      path: '/networks',
      body: { name: unique('network'), vpc_id: (await aVpc(place)).id, prefix: 26 },
      keys: under('network', networkKeys),
    }),
  },
  'PATCH /api/v1/networks/{id}': {
    ...by.admin,
    status: 200,
    arrange: async (place) => ({
      path: `/networks/${(await aNetwork(place)).id}`,
      body: { name: unique('Renamed ') },
      keys: under('network', networkKeys),
    }),
  },
  'DELETE /api/v1/networks/{id}': {
    ...by.admin,
    status: 200,
    arrange: async (place) => ({
      path: `/networks/${(await aNetwork(place)).id}`,
      keys: ['success'],
    }),
  },
  'GET /api/v1/security-groups': {
    ...by.anyone,
    status: 200,
    arrange: async (place) => ({
      path: `/security-groups?filter=${(await aSecurityGroup(place)).name}`,
      keys: under('security_groups', groupKeys),
    }),
  },
  'GET /api/v1/security-groups/{id}': {
    ...by.anyone,
    status: 200,
    arrange: async (place) => ({
      path: `/security-groups/${(await aSecurityGroup(place)).id}`,
      keys: under('security_group', groupKeys),
    }),
  },
  'POST /api/v1/security-groups': {
    ...by.admin,
    status: 201,
    arrange: async (place) => ({
      path: '/security-groups',
      body: {
        name: unique('group'),
        vpc_id: (await aVpc(place)).id,
        rules: [{ protocol: 'udp', port_from: 53, cidr: '10.0.0.0/8' }],
      },
      keys: under('security_group', `${groupKeys.replace('rules.port_to', '')} vpc_id`),
    }),
  },
  'PATCH /api/v1/security-groups/{id}': {
    ...by.admin,
    status: 200,
    arrange: async (place) => ({
      path: `/security-groups/${(await aSecurityGroup(place)).id}`,
      body: {
        name: unique('group'),
        rules: [
          { direction: 'egress', protocol: 'tcp', port_from: 1, port_to: 9, cidr: '10.0.0.0/8' },
        ],
      },
      keys: under('security_group', groupKeys),
    }),
  },
  'DELETE /api/v1/security-groups/{id}': {
    ...by.admin,
    status: 200,
    arrange: async (place) => ({
      path: `/security-groups/${(await aSecurityGroup(place)).id}`,
      keys: ['success'],
    }),
  },
}
