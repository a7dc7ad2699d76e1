import { type Json } from '../json.ts'
import { type RouteFixture, type FixtureContext, by, madeBy, under } from './request-fixture.ts'
import { unique } from '../world/world.ts'

const networkShows = 'tenant_id vpc_id network_type nad_namespace nad_name created_at'
const groupShows = 'description rules.port_from rules.port_to rules.cidr'

const aVpc = async ({ tenant }: FixtureContext): Promise<Json> =>
  (await madeBy(tenant.admin, '/vpcs', { name: unique('vpc') })).vpc
const aNetwork = async (context: FixtureContext): Promise<Json> =>
  (
    await madeBy(context.tenant.admin, '/networks', {
      name: unique('network'),
      vpc_id: (await aVpc(context)).id,
    })
  ).network
const aSecurityGroup = async ({ tenant }: FixtureContext): Promise<Json> =>
  (
    await madeBy(tenant.admin, '/security-groups', {
      name: unique('group'),
      description: 'Web servers',
    })
  ).security_group

export const networkMakers = { securityGroup: aSecurityGroup, vpc: aVpc, network: aNetwork }

/** A successful request for each REST route of VPCs, networks and security groups. */
export const networkFixtures: Readonly<Record<string, RouteFixture>> = {
  'GET /api/v1/vpcs': {
    ...by.anyone,
    status: 200,
    arrange: async (context) => ({
      path: `/vpcs?filter=${(await aVpc(context)).name}`,
    }),
  },
  'GET /api/v1/vpcs/cidr-plan': {
    ...by.anyone,
    status: 200,
    arrange: () => ({ path: '/vpcs/cidr-plan' }),
  },
  'GET /api/v1/vpcs/{id}': {
    ...by.anyone,
    status: 200,
    arrange: async (context) => ({
      path: `/vpcs/${(await aVpc(context)).id}`,
    }),
  },
  'POST /api/v1/vpcs': {
    ...by.admin,
    status: 201,
    arrange: () => ({
      path: '/vpcs',
      body: { name: unique('vpc') },
      shows: under('default_network', networkShows),
    }),
  },
  'PATCH /api/v1/vpcs/{id}': {
    ...by.admin,
    status: 200,
    arrange: async (context) => ({
      path: `/vpcs/${(await aVpc(context)).id}`,
      body: { name: unique('Renamed “it”') },
    }),
  },
  'DELETE /api/v1/vpcs/{id}': {
    ...by.admin,
    status: 200,
    arrange: async (context) => ({ path: `/vpcs/${(await aVpc(context)).id}` }),
  },
  'GET /api/v1/networks': {
    ...by.anyone,
    status: 200,
    arrange: async (context) => ({
      path: `/networks?filter=${(await aNetwork(context)).name}`,
      shows: under('networks', networkShows),
    }),
  },
  'GET /api/v1/networks/cidr-plan': {
    ...by.anyone,
    status: 200,
    arrange: async (context) => ({
      path: `/networks/cidr-plan?vpc_id=${(await aVpc(context)).id}`,
      shows: ['auto'],
    }),
  },
  'GET /api/v1/networks/{id}': {
    ...by.anyone,
    status: 200,
    arrange: async (context) => ({
      path: `/networks/${(await aNetwork(context)).id}`,
      shows: under('network', networkShows),
    }),
  },
  'POST /api/v1/networks': {
    ...by.admin,
    status: 201,
    arrange: async (context) => ({
      path: '/networks',
      body: { name: unique('network'), vpc_id: (await aVpc(context)).id, prefix: 26 },
      shows: under('network', networkShows),
    }),
  },
  'PATCH /api/v1/networks/{id}': {
    ...by.admin,
    status: 200,
    arrange: async (context) => ({
      path: `/networks/${(await aNetwork(context)).id}`,
      body: { name: unique('Renamed network') },
      shows: under('network', networkShows),
    }),
  },
  'DELETE /api/v1/networks/{id}': {
    ...by.admin,
    status: 200,
    arrange: async (context) => ({
      path: `/networks/${(await aNetwork(context)).id}`,
    }),
  },
  'GET /api/v1/security-groups': {
    ...by.anyone,
    status: 200,
    arrange: async (context) => ({
      path: `/security-groups?filter=${(await aSecurityGroup(context)).name}`,
      shows: under('security_groups', groupShows),
    }),
  },
  'GET /api/v1/security-groups/{id}': {
    ...by.anyone,
    status: 200,
    arrange: async (context) => ({
      path: `/security-groups/${(await aSecurityGroup(context)).id}`,
      shows: under('security_group', groupShows),
    }),
  },
  'POST /api/v1/security-groups': {
    ...by.admin,
    status: 201,
    arrange: async (context) => ({
      path: '/security-groups',
      body: {
        name: unique('group'),
        vpc_id: (await aVpc(context)).id,
        rules: [{ protocol: 'udp', port_from: 53, cidr: '10.0.0.0/8' }],
      },
      shows: under('security_group', 'vpc_id description rules.port_from rules.cidr'),
    }),
  },
  'PATCH /api/v1/security-groups/{id}': {
    ...by.admin,
    status: 200,
    arrange: async (context) => ({
      path: `/security-groups/${(await aSecurityGroup(context)).id}`,
      body: {
        name: unique('group'),
        rules: [
          { direction: 'egress', protocol: 'tcp', port_from: 1, port_to: 9, cidr: '10.0.0.0/8' },
        ],
      },
      shows: under('security_group', groupShows),
    }),
  },
  'DELETE /api/v1/security-groups/{id}': {
    ...by.admin,
    status: 200,
    arrange: async (context) => ({
      path: `/security-groups/${(await aSecurityGroup(context)).id}`,
    }),
  },
}
