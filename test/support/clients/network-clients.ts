import { statusOf } from '../../../server/src/engine/http/faults.ts'
import { type FaultCode, faultCodes } from '../../../server/src/engine/model/fault.ts'
import { type Json } from '../json.ts'
import { networkDocuments } from '../actions/network-actions.ts'
import { type Client } from './http-client.ts'

/** An answer: the code of a refusal or null, and the created or changed object. */
export interface NetworkAnswer {
  code: FaultCode | null
  status: number
  made: Json
}

/**
 * The network actions through REST or GraphQL of one replica. An answer arrives when the request is
 * committed, before the cluster is changed.
 */
export interface NetworkClient {
  createVpc(i: { name: string; cidr?: string }): Promise<NetworkAnswer>
  createNetwork(i: {
    name: string
    vpcId: string
    cidr?: string
    prefix?: number
  }): Promise<NetworkAnswer>
  createVm(i: {
    name: string
    templateId: string
    networkIds: readonly string[]
    publicIp?: boolean
    start?: boolean
  }): Promise<NetworkAnswer>
  rewire(
    verb: 'attachNetwork' | 'detachNetwork',
    i: { vmId: string; networkId: string },
  ): Promise<NetworkAnswer>
  deleteVpc(vpc: { id: string }): Promise<NetworkAnswer>
  deleteNetwork(network: { id: string }): Promise<NetworkAnswer>
  deleteVm(vm: { id: string; name: string }): Promise<NetworkAnswer>
}

const knownCode = (code: unknown): FaultCode | null =>
  faultCodes.find((each) => each === code) ?? null

const vmFields = 'id name nics { mac address networkId }'
const createVm = `mutation ($i: CreateVmInput!) { createVm(input: $i) { vm { ${vmFields} } } }`
const rewiring = (verb: 'attachNetwork' | 'detachNetwork'): string =>
  `mutation ($i: ${verb === 'attachNetwork' ? 'Attach' : 'Detach'}NetworkInput!) { ${verb}(input: $i) { vm { ${vmFields} } } }`
const deleteVm = `mutation ($i: DeleteVmInput!) { deleteVm(input: $i) { vm { id } } }`

function graphqlNetworkClient(client: Client): NetworkClient {
  const ask = async (document: string, i: unknown, noun: string): Promise<NetworkAnswer> => {
    const { status, data, code, text } = await client.graphql(document, { i })
    if (code === null && !data) throw new Error(`answered with ${status} ${text}`)
    const known = knownCode(code)
    const made = code === null ? Object.values<Json>(data)[0][noun] : text
    return { code: known, status: known === null ? status : statusOf[known], made }
  }
  return {
    createVpc: (i) => ask(networkDocuments.createVpc, i, 'vpc'),
    createNetwork: (i) => ask(networkDocuments.createNetwork, i, 'network'),
    createVm: (i) => ask(createVm, { ...i, rootDisk: 'ephemeral' }, 'vm'),
    rewire: (verb, i) => ask(rewiring(verb), i, 'vm'),
    deleteVpc: ({ id }) => ask(networkDocuments.deleteVpc, { id, withNetworks: true }, 'vpc'),
    deleteNetwork: ({ id }) => ask(networkDocuments.deleteNetwork, { id }, 'network'),
    deleteVm: ({ id }) => ask(deleteVm, { id }, 'vm'),
  }
}

const wiredNic = ({ mac, ip, network_id: networkId }: Json): Json => ({
  mac,
  address: ip ?? null,
  networkId: networkId ?? null,
})

/** REST has no route to attach or detach a network, so those actions use GraphQL. */
function restNetworkClient(client: Client): NetworkClient {
  const asyncClient = client.with({ prefer: 'respond-async' })
  const ask = async (
    method: string,
    path: string,
    { body, noun }: { body?: Json; noun?: string } = {},
  ): Promise<NetworkAnswer> => {
    const answer = await (noun === undefined ? asyncClient : client).rest(method, path, { body })
    if (answer.status < 300)
      return {
        code: null,
        status: answer.status,
        made: noun === undefined ? {} : answer.body[noun],
      }
    return { code: knownCode(answer.body?.code), status: answer.status, made: answer.text }
  }
  return {
    ...graphqlNetworkClient(client),
    createVpc: (body) => ask('POST', '/vpcs', { body, noun: 'vpc' }),
    createNetwork: ({ vpcId, ...i }) =>
      ask('POST', '/networks', { body: { ...i, vpc_id: vpcId }, noun: 'network' }),
    async createVm({ name, templateId, networkIds, publicIp }) {
      const body = { name, template_id: templateId, network_ids: networkIds, public_ip: publicIp }
      const { made, ...answer } = await ask('POST', '/vms', { body, noun: 'vm' })
      return {
        ...answer,
        made: answer.code === null ? { ...made, nics: made.nics.map(wiredNic) } : made,
      }
    },
    deleteVpc: ({ id }) => ask('DELETE', `/vpcs/${id}`),
    deleteNetwork: ({ id }) => ask('DELETE', `/networks/${id}`),
    deleteVm: ({ name }) => ask('POST', '/vms/delete', { body: { name } }),
  }
}

/** Returns a REST and a GraphQL client for the replica of each client. */
export const networkClients = (clients: readonly Client[]): NetworkClient[] =>
  clients.flatMap((client) => [graphqlNetworkClient(client), restNetworkClient(client)])
