import { waitFor } from '../wait-for.ts'
import { type Client } from '../clients/http-client.ts'
import { type FixtureContext } from '../requests/request-fixtures.ts'
import { unique } from '../world/world.ts'
import { type Json } from '../json.ts'

const vpcFields =
  'id tenantId name cidr namespace isDefault state stateReason version refusals { delete }'
const networkFields =
  'id tenantId vpcId name cidr gateway isDefault driver mtu attachmentNamespace attachmentName state stateReason version refusals { delete }'
/** GraphQL documents for VPCs and networks. */
export const networkDocuments = {
  createVpc: `mutation ($i: CreateVpcInput!) { createVpc(input: $i) { vpc { ${vpcFields} } defaultNetwork { ${networkFields} } operation { id kind } } }`,
  updateVpc: `mutation ($i: UpdateVpcInput!) { updateVpc(input: $i) { vpc { ${vpcFields} } } }`,
  deleteVpc: `mutation ($i: DeleteVpcInput!) { deleteVpc(input: $i) { vpc { id state } operation { id kind } } }`,
  createNetwork: `mutation ($i: CreateNetworkInput!) { createNetwork(input: $i) { network { ${networkFields} } operation { id kind } } }`,
  updateNetwork: `mutation ($i: UpdateNetworkInput!) { updateNetwork(input: $i) { network { ${networkFields} } } }`,
  deleteNetwork: `mutation ($i: DeleteNetworkInput!) { deleteNetwork(input: $i) { network { id state } operation { id kind } } }`,
  vpc: `query ($id: ID, $name: String) { vpc(id: $id, name: $name) { ${vpcFields} } }`,
  vpcs: `query ($f: VpcFilter, $n: Int, $a: String) { vpcs(first: $n, after: $a, filter: $f) { totalCount pageInfo { endCursor hasNextPage } nodes { ${vpcFields} } } }`,
  network: `query ($id: ID!) { network(id: $id) { ${networkFields} } }`,
  networks: `query ($f: NetworkFilter) { networks(filter: $f) { totalCount nodes { ${networkFields} } } }`,
  vpcPlan: `query ($p: Int) { vpcCidrPlan(prefix: $p) { prefix auto used suggestions { cidr available reason conflictsWith addresses roomToGrow } map { cidr state name } } }`,
  networkPlan: `query ($v: ID!, $p: Int) { networkCidrPlan(vpcId: $v, prefix: $p) { vpcCidr prefix auto used suggestions { cidr available reason } map { cidr state name } } }`,
} as const

/**
 * Actions on VPCs and networks. The context is read at each call, because the world may start
 * later. The tenant administrator is the default client.
 */
export function networkActions(context: () => FixtureContext) {
  const aVpc = async (
    i: Record<string, unknown> = {},
    client: Client = context().tenant.admin,
  ): Promise<Json> =>
    (await client.ask(networkDocuments.createVpc, { i: { name: unique('Web & Co. '), ...i } }))
      .createVpc
  const aNetwork = async (
    vpcId: string,
    i: Record<string, unknown> = {},
    client: Client = context().tenant.admin,
  ): Promise<Json> =>
    (
      await client.ask(networkDocuments.createNetwork, {
        i: { name: unique('Front “end” '), vpcId, ...i },
      })
    ).createNetwork.network
  const opened = async (
    document: 'vpc' | 'network',
    id: string,
    client: Client = context().tenant.admin,
  ): Promise<Json> => {
    let found: Json
    await waitFor(
      async () =>
        (found = (await client.ask(networkDocuments[document], { id }))[document]).state ===
        'active',
      {
        what: `${document} ${id} to open`,
      },
    )
    return found
  }
  const attachment = async ({ attachmentNamespace, attachmentName }: Json): Promise<Json> =>
    (
      await context().world.cluster.call(
        `/apis/k8s.cni.cncf.io/v1/namespaces/${attachmentNamespace}/network-attachment-definitions/${attachmentName}`,
      )
    ).body
  const tagOf = async (network: Json): Promise<number> =>
    JSON.parse((await attachment(network)).spec.config).vlan
  return { aVpc, aNetwork, opened, attachment, tagOf }
}
