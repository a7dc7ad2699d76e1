import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { clock } from '../../clock.ts'
import { type Controller, ownKey } from '../controller.ts'
import { type Client } from '../client.ts'
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
    { kind: names.states, keysOf: (_state, client) => client.list(names.policies).flatMap(ownKey) },
  ],
  reconcile(client, { name }) {
    const policy = client.get(names.policies, undefined, name)
    if (!policy) return undefined
    const desired = read.maps(read.at(read.spec(policy).desiredState, 'interfaces'))
    const nodeStates = client.list(names.states)
    const able = nodeStates.filter((nodeState) =>
      desired.every((bridge) => portsOf(bridge).every((port) => interfaceOf(nodeState, port))),
    )
    const left = able.filter((nodeState) => !desired.every((bridge) => isMade(nodeState, bridge)))
    const result = outcome(able.length, nodeStates.length)
    if (left.length === 0 && isReported(policy, result)) return undefined
    report(client, policy, progress(nodeStates.length - left.length, nodeStates.length))
    const leftMs = client.remainingMs('nodeSetup', policy)
    if (leftMs > 0) return leftMs
    for (const nodeState of left) applyTo(client, nodeState, desired)
    const now = client.get(names.policies, undefined, name)
    if (now) report(client, now, result)
    return undefined
  },
}

const interfacesOf = (nodeState: KubeObject): JsonMap[] =>
  read.maps(read.at(read.status(nodeState).currentState, 'interfaces'))
const interfaceOf = (nodeState: KubeObject, name: string): JsonMap | undefined =>
  interfacesOf(nodeState).find((each) => each.name === name)
const portsOf = (found: JsonMap): string[] =>
  read.maps(read.at(found, 'bridge', 'port')).map(({ name }) => read.text(name))

function isMade(nodeState: KubeObject, bridge: JsonMap): boolean {
  const found = interfaceOf(nodeState, read.text(bridge.name))
  return (
    found !== undefined &&
    found.type === bridge.type &&
    portsOf(found).join() === portsOf(bridge).join()
  )
}

function applyTo(client: Client, nodeState: KubeObject, desired: readonly JsonMap[]): void {
  const made = desired.map(({ name }) => name)
  const bridgeOf = (port: string): JsonMap | undefined =>
    desired.find((bridge) => portsOf(bridge).includes(port))
  const otherInterfaces = interfacesOf(nodeState)
    .filter(({ name }) => !made.includes(name))
    .map((each): JsonMap => {
      const bridge = bridgeOf(read.text(each.name))
      return bridge ? { ...each, controller: read.text(bridge.name) } : each
    })
  const { currentState, ...status } = read.status(nodeState)
  client.setStatus(names.states, nodeState, {
    ...status,
    currentState: { ...read.map(currentState), interfaces: [...otherInterfaces, ...desired] },
  })
}

type ConditionRow = readonly (readonly [
  type: string,
  status: string,
  reason: string,
  message: string,
])[]

const progress = (done: number, all: number): ConditionRow => {
  const reasonAndMessage = [
    'ConfigurationProgressing',
    `Policy is progressing ${done}/${all} nodes finished`,
  ] as const
  return [
    ['Available', 'Unknown', ...reasonAndMessage],
    ['Degraded', 'Unknown', ...reasonAndMessage],
    ['Progressing', 'True', ...reasonAndMessage],
  ]
}

function outcome(able: number, all: number): ConditionRow {
  const isWhole = able === all
  const reasonAndMessage = isWhole
    ? (['SuccessfullyConfigured', `${all}/${all} nodes successfully configured`] as const)
    : (['FailedToConfigure', `${all - able}/${all} nodes failed to configure`] as const)
  return [
    ['Available', isWhole ? 'True' : 'False', ...reasonAndMessage],
    ['Degraded', isWhole ? 'False' : 'True', ...reasonAndMessage],
    ['Progressing', 'False', 'ConfigurationProgressed', ''],
  ]
}

const isReported = (policy: KubeObject, rows: ConditionRow): boolean =>
  rows.every(([type, status, , message]) =>
    read
      .maps(read.status(policy).conditions)
      .some((each) => each.type === type && each.status === status && each.message === message),
  )

function report(client: Client, policy: KubeObject, rows: ConditionRow): void {
  if (isReported(policy, rows)) return
  const now = clock.timestamp()
  const conditions = rows.map(([type, status, reason, message]) => ({
    type,
    status,
    reason,
    message,
    lastHeartbeatTime: now,
    lastTransitionTime: now,
  }))
  client.setStatus(names.policies, policy, { ...read.status(policy), conditions })
}
