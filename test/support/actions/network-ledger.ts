import { type FaultCode } from '../../../server/src/engine/model/fault.ts'
import { type Json } from '../json.ts'
import { type NetDoor, type Said } from '../clients/network-clients.ts'
import { unique } from '../world/world.ts'

type Kind = 'vpc' | 'network' | 'vm'

interface Known {
  kind: Kind
  id: string
  name: string
  cidr?: string
  /** Of a network. */
  vpcId?: string
  /** Of a machine: where it was told to have which address, and what it was told to leave. */
  joined: Map<string, string>
  left: Set<string>
  isGone: boolean
}

/** What is to be there after all that was acknowledged. */
export interface Told {
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

/** What each act may be refused with when others do what they like. */
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

/**
 * As often as each is done: more is made than deleted, so that there is something to collide with.
 */
const often: Readonly<Record<Verb, number>> = {
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
  Array.from({ length: often[verb as Verb] }, () => verb as Verb),
)

/** What writers do at random with the networks of one tenant, and what they were told about it. */
export class NetLedger {
  readonly #doors: readonly NetDoor[]
  readonly #templateId: string
  readonly #known: Known[] = []
  /** Answers that nobody should get. */
  readonly surprises: string[] = []
  /** What was not only asked. */
  readonly done = new Set<string>()

  constructor(doors: readonly NetDoor[], templateId: string) {
    this.#doors = doors
    this.#templateId = templateId
  }

  /**
   * Something that can be joined, left and taken away from the first moment on: what is only on its
   * way refuses most of it.
   */
  async begin(): Promise<void> {
    const door = this.#doors[0]
    if (!door) throw new TypeError('there is no door')
    const [vpc] = await this.#making('vpc', [
      door.createVpc({ name: unique('vpc'), cidr: '10.32.0.0/20' }),
    ])
    const wishes = Array.from({ length: 3 }, () =>
      door.createNetwork({ name: unique('network'), vpcId: vpc.id, prefix: 28 }),
    )
    const [network] = await this.#making('network', wishes, vpc.id)
    const { id } = network
    const places = Array.from({ length: 8 }, (_, index) => ({
      networkIds: index < 4 ? [id] : [],
      start: index % 4 === 0,
    }))
    await this.#making(
      'vm',
      places.map((place) =>
        door.createVm({ name: unique('vm'), templateId: this.#templateId, ...place }),
      ),
    )
  }

  async #making(kind: Kind, asked: readonly Promise<Said>[], vpcId?: string): Promise<Json[]> {
    return (await Promise.all(asked.map((each) => this.#makes(kind, each, vpcId)))).map(
      ({ made }) => made,
    )
  }

  async act(random: Random, index: number): Promise<void> {
    const verb = one(verbs, random) ?? 'createVpc'
    const door = this.#doors[(index >> 1) % this.#doors.length]
    const asked = door && this.#acts[verb](door, random)
    if (!asked) return
    const said = await asked
    // A machine that is too busy may say so, and then nothing was done.
    if (said.code === 'overloaded') return
    if (said.code === null) this.done.add(verb)
    const isDocumented =
      said.code === null ? said.status < 300 : refusals[verb].some((code) => code === said.code)
    if (!isDocumented || said.status >= 500)
      this.surprises.push(`${verb}: ${said.status} ${JSON.stringify(said.made)}`)
  }

  told(): Told[] {
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

  readonly #acts: Readonly<Record<Verb, (door: NetDoor, random: Random) => Promise<Said> | null>> =
    {
      createVpc: (door, random) => {
        const cidr = `10.${128 + 4 * Math.floor(random() * 8)}.0.0/${one([14, 16, 20], random)}`
        return this.#makes('vpc', door.createVpc({ name: unique('vpc'), cidr }))
      },
      createNetwork: (door, random) => {
        const vpc = this.#pick('vpc', random)
        if (!vpc?.cidr) return null
        const cidr = vpc.cidr.replace(
          /\.0\.0\/.*/,
          `.${4 * Math.floor(random() * 4)}.0/${one([22, 24, 28], random)}`,
        )
        const place = random() < 0.4 ? { prefix: 28 } : { cidr }
        return this.#makes(
          'network',
          door.createNetwork({ name: unique('network'), vpcId: vpc.id, ...place }),
          vpc.id,
        )
      },
      createVm: (door, random) => {
        const networkIds = [
          ...new Set([this.#pick('network', random)?.id, this.#pick('network', random)?.id]),
        ].filter((id) => id !== undefined)
        const publicIp = random() < 0.2
        return this.#makes(
          'vm',
          door.createVm({
            name: unique('vm'),
            templateId: this.#templateId,
            networkIds,
            publicIp,
            start: random() < 0.3,
          }),
        )
      },
      attachNetwork: (door, random) => this.#rewires(door, 'attachNetwork', random),
      detachNetwork: (door, random) => this.#rewires(door, 'detachNetwork', random),
      deleteVpc: (door, random) =>
        this.#deletes(this.#pick('vpc', random), (vpc) => door.deleteVpc(vpc)),
      deleteNetwork: (door, random) =>
        this.#deletes(this.#pick('network', random), (network) => door.deleteNetwork(network)),
      deleteVm: (door, random) =>
        this.#deletes(this.#pick('vm', random), (vm) => door.deleteVm(vm)),
    }

  /** Mostly something that is there, as far as anybody has been told. */
  #pick(kind: Kind, random: Random): Known | undefined {
    const all = this.#known.filter((each) => each.kind === kind)
    const there = all.filter(({ isGone }) => !isGone)
    return one(random() < 0.9 ? there : all, random)
  }

  async #makes(kind: Kind, asked: Promise<Said>, vpcId?: string): Promise<Said> {
    const said = await asked
    if (said.code !== null) return said
    const { id, name, cidr, nics } = said.made
    const joined = new Map<string, string>(
      (nics ?? []).filter(({ networkId }: Json) => networkId).map(placed),
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
    return said
  }

  #rewires(
    door: NetDoor,
    verb: 'attachNetwork' | 'detachNetwork',
    random: Random,
  ): Promise<Said> | null {
    const [vm, network] = [this.#pick('vm', random), this.#pick('network', random)]
    if (!vm || !network) return null
    return door.rewire(verb, { vmId: vm.id, networkId: network.id }).then((said) => {
      if (said.code !== null) return said
      // Who left once and came again has another address, and nobody knows which of the two was
      // first.
      if (verb === 'detachNetwork') vm.left.add(network.id)
      else
        for (const nic of said.made.nics)
          if (nic.networkId === network.id) vm.joined.set(...placed(nic))
      return said
    })
  }

  #deletes(known: Known | undefined, ask: (known: Known) => Promise<Said>): Promise<Said> | null {
    if (!known) return null
    return ask(known).then((said) => {
      if (said.code === null) known.isGone = true
      return said
    })
  }
}

const placed = ({ networkId, address }: Json): [string, string] => [networkId, address]
