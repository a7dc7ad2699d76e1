import { createHash } from 'node:crypto'
import { clock } from '../../clock.ts'
import { type JsonMap, type KubeObject } from '../../apiserver/types.ts'
import { type Controller, ownKey } from '../controller.ts'
import { type Desk } from '../desk.ts'
import { withTargets } from '../hotplug/targets.ts'
import { withMigratability } from '../migrations/migratable.ts'
import { filled, read } from '../read.ts'
import { conditionOf, conditionsOf, withCondition } from './conditions.ts'
import { vmiKind } from './kinds.ts'
import { phaseOf } from './phase.ts'
import { launcherOf } from './launcher.ts'

/** What the agent of a node does with the instances on it: boots the guest, tells of it, and brings it down. */
export const nodeAgent: Controller = {
  name: 'virt-handler',
  program: 'virt-handler',
  sources: [{ kind: vmiKind, keysOf: (vmi) => (read.status(vmi).nodeName === undefined ? [] : ownKey(vmi)) }],
  reconcile(desk, { namespace, name }) {
    const vmi = desk.get(vmiKind, namespace, name)
    if (!vmi || read.status(vmi).nodeName === undefined) return undefined
    if (vmi.metadata.deletionTimestamp !== undefined) return shutDown(desk, vmi)
    if (phaseOf(vmi) === 'Scheduled') return boot(desk, vmi)
    return phaseOf(vmi) === 'Running' ? tell(desk, vmi) : undefined
  },
}

const withTransition = (vmi: KubeObject, phase: string): JsonMap[] => [
  ...read.maps(read.status(vmi).phaseTransitionTimestamps),
  { phase, phaseTransitionTimestamp: clock.timestamp() },
]

function boot(desk: Desk, vmi: KubeObject): number | undefined {
  const waitMs = desk.remainingMs('guestStart', vmi)
  if (waitMs > 0) return waitMs
  const pod = launcherOf(desk, vmi)
  if (!pod) return undefined
  desk.setStatus(vmiKind, vmi, {
    ...withMigratability(vmi),
    phase: 'Running',
    phaseTransitionTimestamps: withTransition(vmi, 'Running'),
    migrationTransport: 'Unix',
    machine: { type: 'pc-q35-rhel9.6.0' },
    interfaces: interfacesOf(vmi, pod),
    volumeStatus: withTargets(vmi, read.maps(read.status(vmi).volumeStatus)),
  })
  return undefined
}

/** A MAC of the range that KubeVirt draws from, the same for the same interface of the same instance. */
function macOf({ metadata: { uid = '' } }: KubeObject, name: string): string {
  const [a = 0, b = 0, c = 0] = createHash('sha256').update(`${uid} ${name}`).digest()
  return ['02', '00', '00', ...[a, b, c].map((byte) => byte.toString(16).padStart(2, '0'))].join(':')
}

function interfacesOf(vmi: KubeObject, pod: KubeObject): JsonMap[] {
  const podIP = read.text(read.status(pod).podIP)
  const asked = read.maps(read.at(vmi.spec, 'domain', 'devices', 'interfaces'))
  return asked.map((each, index) => {
    const onPodNetwork = each.masquerade !== undefined
    return filled({
      name: each.name,
      mac: each.macAddress ?? macOf(vmi, read.text(each.name)),
      podInterfaceName: `eth${index}`,
      infoSource: 'domain',
      queueCount: 1,
      linkState: 'up',
      ipAddress: onPodNetwork ? podIP : undefined,
      ipAddresses: onPodNetwork ? [podIP] : undefined,
    })
  })
}

function tell(desk: Desk, vmi: KubeObject): number | undefined {
  if (conditionOf(vmi, 'AgentConnected')) return undefined
  const waitMs = desk.remainingMs('agentStart', vmi)
  if (waitMs > 0) return waitMs
  const interfaces = read.maps(read.status(vmi).interfaces).map((each, index) => ({
    ...each,
    interfaceName: `eth${index}`,
    infoSource: 'domain, guest-agent',
  }))
  const conditions = withCondition(conditionsOf(vmi), 'AgentConnected', { status: 'True' })
  desk.setStatus(vmiKind, vmi, { ...read.status(vmi), interfaces, conditions })
  return undefined
}

/** Asks the guest to go down and tells when it did; the pod ends with it. */
function shutDown(desk: Desk, vmi: KubeObject): number | undefined {
  if (['Succeeded', 'Failed'].includes(phaseOf(vmi))) return endPod(desk, vmi)
  const pod = launcherOf(desk, vmi)
  const waitMs = pod && phaseOf(vmi) === 'Running' ? desk.remainingMs('guestStop', vmi) : 0
  if (waitMs > 0) return waitMs
  desk.setStatus(vmiKind, vmi, { ...read.status(vmi), phase: phaseOf(vmi) === 'Running' ? 'Succeeded' : 'Failed' })
  return undefined
}

function endPod(desk: Desk, vmi: KubeObject): undefined {
  const pod = launcherOf(desk, vmi)
  if (!pod || ['Succeeded', 'Failed'].includes(phaseOf(pod))) return
  const conditions = withCondition(read.maps(read.status(pod).conditions), 'Ready', { status: 'False', reason: 'PodCompleted' })
  desk.setStatus('pods', pod, { ...read.status(pod), phase: phaseOf(vmi), conditions })
}
