import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { clock } from '../../clock.ts'
import { type Controller, ownKey } from '../controller.ts'
import { type Desk } from '../desk.ts'
import { read } from '../../objects/read.ts'
import { names } from './names.ts'

/**
 * Creates the bridges of a policy on all nodes and reports the progress. The bridges stay when the
 * policy is deleted.
 */
export const policies: Controller = {
  name: 'nmstate-handler',
  sources: [
    { kind: names.policies, keysOf: ownKey },
    { kind: names.states, keysOf: (_state, desk) => desk.list(names.policies).flatMap(ownKey) },
  ],
  reconcile(desk, { name }) {
    const policy = desk.get(names.policies, undefined, name)
    if (!policy) return undefined
    const wanted = read.maps(read.at(read.spec(policy).desiredState, 'interfaces'))
    const hosts = desk.list(names.states)
    const able = hosts.filter((host) =>
      wanted.every((bridge) => portsOf(bridge).every((port) => interfaceOf(host, port))),
    )
    const left = able.filter((host) => !wanted.every((bridge) => isMade(host, bridge)))
    const result = outcome(able.length, hosts.length)
    if (left.length === 0 && isTold(policy, result)) return undefined
    tell(desk, policy, progress(hosts.length - left.length, hosts.length))
    const leftMs = desk.remainingMs('hostSetup', policy)
    if (leftMs > 0) return leftMs
    for (const host of left) setUp(desk, host, wanted)
    const now = desk.get(names.policies, undefined, name)
    if (now) tell(desk, now, result)
    return undefined
  },
}

const interfacesOf = (host: KubeObject): JsonMap[] =>
  read.maps(read.at(read.status(host).currentState, 'interfaces'))
const interfaceOf = (host: KubeObject, name: string): JsonMap | undefined =>
  interfacesOf(host).find((each) => each.name === name)
const portsOf = (found: JsonMap): string[] =>
  read.maps(read.at(found, 'bridge', 'port')).map(({ name }) => read.text(name))

function isMade(host: KubeObject, bridge: JsonMap): boolean {
  const found = interfaceOf(host, read.text(bridge.name))
  return (
    found !== undefined &&
    found.type === bridge.type &&
    portsOf(found).join() === portsOf(bridge).join()
  )
}

function setUp(desk: Desk, host: KubeObject, wanted: readonly JsonMap[]): void {
  const made = wanted.map(({ name }) => name)
  const bridgeOf = (port: string): JsonMap | undefined =>
    wanted.find((bridge) => portsOf(bridge).includes(port))
  const others = interfacesOf(host)
    .filter(({ name }) => !made.includes(name))
    .map((each): JsonMap => {
      const bridge = bridgeOf(read.text(each.name))
      return bridge ? { ...each, controller: read.text(bridge.name) } : each
    })
  const { currentState, ...status } = read.status(host)
  desk.setStatus(names.states, host, {
    ...status,
    currentState: { ...read.map(currentState), interfaces: [...others, ...wanted] },
  })
}

type Told = readonly (readonly [type: string, status: string, reason: string, message: string])[]

const progress = (done: number, all: number): Told => {
  const words = [
    'ConfigurationProgressing',
    `Policy is progressing ${done}/${all} nodes finished`,
  ] as const
  return [
    ['Available', 'Unknown', ...words],
    ['Degraded', 'Unknown', ...words],
    ['Progressing', 'True', ...words],
  ]
}

function outcome(able: number, all: number): Told {
  const isWhole = able === all
  const words = isWhole
    ? (['SuccessfullyConfigured', `${all}/${all} nodes successfully configured`] as const)
    : (['FailedToConfigure', `${all - able}/${all} nodes failed to configure`] as const)
  return [
    ['Available', isWhole ? 'True' : 'False', ...words],
    ['Degraded', isWhole ? 'False' : 'True', ...words],
    ['Progressing', 'False', 'ConfigurationProgressed', ''],
  ]
}

const isTold = (policy: KubeObject, told: Told): boolean =>
  told.every(([type, status, , message]) =>
    read
      .maps(read.status(policy).conditions)
      .some((each) => each.type === type && each.status === status && each.message === message),
  )

function tell(desk: Desk, policy: KubeObject, told: Told): void {
  if (isTold(policy, told)) return
  const now = clock.timestamp()
  const conditions = told.map(([type, status, reason, message]) => ({
    type,
    status,
    reason,
    message,
    lastHeartbeatTime: now,
    lastTransitionTime: now,
  }))
  desk.setStatus(names.policies, policy, { ...read.status(policy), conditions })
}
