import { type FaultCode } from '../../../server/src/engine/model/fault.ts'
import { type Json } from '../json.ts'
import { type NetworkClient, type NetworkAnswer } from '../clients/network-clients.ts'
import { unique } from '../world/world.ts'

type Kind = 'vpc' | 'network' | 'vm'

interface LedgerEntry {
  kind: Kind
  id: string
  name: string
  cidr?: string
  /** The VPC of a network. */
  vpcId?: string
  /** The attached networks of a VM with the reported address. `left` has the detached ones. */
  joined: Map<string, string>
  left: Set<string>
  isGone: boolean
}

/** An object that must or must not exist after all acknowledged requests. */
export interface ExpectedObject {
  kind: Kind
  id: string
  name: string
  isGone: boolean
  cidr: string | undefined
  nics: { networkId: string; address: string }[]
}

type Random = () => number

const one = <T>(from: readonly T[], random: Random): T | undefined =>
  from[Math.floor(random() * from.length)]

/** The codes with which each action may be refused while other writers act concurrently. */
const refusals = {
  createVpc: ['cidr_overlap'],
  createNetwork: ['cidr_overlap', 'cidr_exhausted', 'not_found', 'wrong_state'],
  createVm: ['addresses_exhausted', 'not_found', 'wrong_state'],
  attachNetwork: ['addresses_exhausted', 'already_exists', 'not_found', 'wrong_state'],
  detachNetwork: ['not_found', 'wrong_state'],
  deleteVpc: ['in_use', 'not_found'],
  deleteNetwork: ['in_use', 'not_found'],
  deleteVm: ['not_found'],
} satisfies Record<string, FaultCode[]>

type Verb = keyof typeof refusals

/** The weight of each action. More is created than deleted, so that collisions happen. */
const weights: Readonly<Record<Verb, number>> = {
  createVpc: 2,
  createNetwork: 4,
  createVm: 5,
  attachNetwork: 4,
  detachNetwork: 3,
  deleteVpc: 1,
  deleteNetwork: 2,
  deleteVm: 2,
}
const verbs = Object.keys(refusals).flatMap((verb): Verb[] =>
  Array.from({ length: weights[verb as Verb] }, () => verb as Verb),
)

/** Performs random actions on the networks of one tenant, and records the acknowledged results. */
export class NetworkLedger {
  readonly #clients: readonly NetworkClient[]
  readonly #templateId: string
  readonly #known: LedgerEntry[] = []
  /** Answers that no client should get. */
  readonly surprises: string[] = []
  /** The actions that succeeded at least once. */
  readonly done = new Set<string>()

  constructor(clients: readonly NetworkClient[], templateId: string) {
    this.#clients = clients
    this.#templateId = templateId
  }

  /**
   * Creates objects on which all actions are possible from the start. An object that is still being
   * created refuses most actions.
   */
  async begin(): Promise<void> {
    const client = this.#clients[0]
    if (!client) throw new TypeError('the ledger needs at least one client')
    const [vpc] = await this.#createAll('vpc', [
      client.createVpc({ name: unique('vpc'), cidr: '10.32.0.0/20' }),
    ])
    const requests = Array.from({ length: 3 }, () =>
      client.createNetwork({ name: unique('network'), vpcId: vpc.id, prefix: 28 }),
    )
    const [network] = await this.#createAll('network', requests, vpc.id)
    const { id } = network
    const vmOptions = Array.from({ length: 8 }, (_, index) => ({
      networkIds: index < 4 ? [id] : [],
      start: index % 4 === 0,
    }))
    await this.#createAll(
      'vm',
      vmOptions.map((options) =>
        client.createVm({ name: unique('vm'), templateId: this.#templateId, ...options }),
      ),
    )
  }

  async #createAll(
    kind: Kind,
    requests: readonly Promise<NetworkAnswer>[],
    vpcId?: string,
  ): Promise<Json[]> {
    return (await Promise.all(requests.map((each) => this.#create(kind, each, vpcId)))).map(
      ({ made }) => made,
    )
  }

  async act(random: Random, index: number): Promise<void> {
    const verb = one(verbs, random) ?? 'createVpc'
    const client = this.#clients[(index >> 1) % this.#clients.length]
    const request = client && this.#actions[verb](client, random)
    if (!request) return
    const answer = await request
    // A busy computer may refuse a request as overloaded, which changes nothing.
    if (answer.code === 'overloaded') return
    if (answer.code === null) this.done.add(verb)
    const isDocumented =
      answer.code === null
        ? answer.status < 300
        : refusals[verb].some((code) => code === answer.code)
    if (!isDocumented || answer.status >= 500)
      this.surprises.push(`${verb}: ${answer.status} ${JSON.stringify(answer.made)}`)
  }

  expected(): ExpectedObject[] {
    const goneVpcs = new Set(this.#known.filter(({ isGone }) => isGone).map(({ id }) => id))
    return this.#known.map(({ kind, id, name, cidr, vpcId, joined, left, isGone }) => ({
      kind,
      id,
      name,
      cidr,
      isGone: isGone || (vpcId !== undefined && goneVpcs.has(vpcId)),
      nics: [...joined]
        .filter(([networkId]) => !left.has(networkId))
        .map(([networkId, address]) => ({ networkId, address })),
    }))
  }

  readonly #actions: Readonly<
    Record<Verb, (client: NetworkClient, random: Random) => Promise<NetworkAnswer> | null>
  > = {
    createVpc: (client, random) => {
      const cidr = `10.${128 + 4 * Math.floor(random() * 8)}.0.0/${one([14, 16, 20], random)}`
      return this.#create('vpc', client.createVpc({ name: unique('vpc'), cidr }))
    },
    createNetwork: (client, random) => {
      const vpc = this.#pick('vpc', random)
      if (!vpc?.cidr) return null
      const cidr = vpc.cidr.replace(
        /\.0\.0\/.*/,
        `.${4 * Math.floor(random() * 4)}.0/${one([22, 24, 28], random)}`,
      )
      const options = random() < 0.4 ? { prefix: 28 } : { cidr }
      return this.#create(
        'network',
        client.createNetwork({ name: unique('network'), vpcId: vpc.id, ...options }),
        vpc.id,
      )
    },
    createVm: (client, random) => {
      const networkIds = [
        ...new Set([this.#pick('network', random)?.id, this.#pick('network', random)?.id]),
      ].filter((id) => id !== undefined)
      const publicIp = random() < 0.2
      return this.#create(
        'vm',
        client.createVm({
          name: unique('vm'),
          templateId: this.#templateId,
          networkIds,
          publicIp,
          start: random() < 0.3,
        }),
      )
    },
    attachNetwork: (client, random) => this.#rewire(client, 'attachNetwork', random),
    detachNetwork: (client, random) => this.#rewire(client, 'detachNetwork', random),
    deleteVpc: (client, random) =>
      this.#delete(this.#pick('vpc', random), (vpc) => client.deleteVpc(vpc)),
    deleteNetwork: (client, random) =>
      this.#delete(this.#pick('network', random), (network) => client.deleteNetwork(network)),
    deleteVm: (client, random) =>
      this.#delete(this.#pick('vm', random), (vm) => client.deleteVm(vm)),
  }

  /** Picks an object, in nine of ten cases one whose deletion was not acknowledged. */
  #pick(kind: Kind, random: Random): LedgerEntry | undefined {
    const all = this.#known.filter((each) => each.kind === kind)
    const there = all.filter(({ isGone }) => !isGone)
    return one(random() < 0.9 ? there : all, random)
  }

  async #create(
    kind: Kind,
    request: Promise<NetworkAnswer>,
    vpcId?: string,
  ): Promise<NetworkAnswer> {
    const answer = await request
    if (answer.code !== null) return answer
    const { id, name, cidr, nics } = answer.made
    const joined = new Map<string, string>(
      (nics ?? []).filter(({ networkId }: Json) => networkId).map(networkAndAddress),
    )
    this.#known.push({
      kind,
      id,
      name,
      cidr,
      joined,
      left: new Set(),
      isGone: false,
      ...(vpcId === undefined ? {} : { vpcId }),
    })
    return answer
  }

  #rewire(
    client: NetworkClient,
    verb: 'attachNetwork' | 'detachNetwork',
    random: Random,
  ): Promise<NetworkAnswer> | null {
    const [vm, network] = [this.#pick('vm', random), this.#pick('network', random)]
    if (!vm || !network) return null
    return client.rewire(verb, { vmId: vm.id, networkId: network.id }).then((answer) => {
      if (answer.code !== null) return answer
      // A VM that detaches and attaches again gets a new address. The order of the two concurrent
      // answers is unknown, so the ledger does not check a network that the VM has left once.
      if (verb === 'detachNetwork') vm.left.add(network.id)
      else
        for (const nic of answer.made.nics)
          if (nic.networkId === network.id) vm.joined.set(...networkAndAddress(nic))
      return answer
    })
  }

  #delete(
    known: LedgerEntry | undefined,
    ask: (known: LedgerEntry) => Promise<NetworkAnswer>,
  ): Promise<NetworkAnswer> | null {
    if (!known) return null
    return ask(known).then((answer) => {
      if (answer.code === null) known.isGone = true
      return answer
    })
  }
}

const networkAndAddress = ({ networkId, address }: Json): [string, string] => [networkId, address]
