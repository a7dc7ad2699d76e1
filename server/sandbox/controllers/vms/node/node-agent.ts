import { clock } from '../../../clock.ts'
import { type JsonMap, type KubeObject } from '../../../objects/types.ts'
import { type Controller, ownKey } from '../../controller.ts'
import { type Client } from '../../client.ts'
import { isDeleted } from '../../finalizers.ts'
import { withTargets } from '../../hotplug/targets.ts'
import { withMigratability } from '../../migrations/migratable.ts'
import { domainStatus } from '../../nics/domain-status.ts'
import { isAbsent, podNicName } from '../../nics/nic-naming.ts'
import { interfacesOf, secondaryNetworksOf } from '../../nics/nics.ts'
import { podNicsOf } from '../../nics/pod-networks.ts'
import { filled, read } from '../../../objects/read.ts'
import { conditionOf, conditionsOf, withCondition } from '../../../objects/vms/conditions.ts'
import { vmiKind } from '../../../objects/vms/kinds.ts'
import { isFinal, phaseOf } from '../../../objects/vms/phase.ts'
import { launcherOf } from '../launcher/launchers.ts'
import { guestSpecOf } from './guest-spec.ts'
import { endPod } from './guest-pod.ts'
import { agentInterfaces, isAgentAnswering, syncGuest, reportedOs } from './guest-state.ts'

/**
 * virt-handler: boots the guests of the VMIs on a node, reports their state, and shuts them down.
 */
export const nodeAgent: Controller = {
  name: 'virt-handler',
  fieldManager: 'virt-handler',
  sources: [
    {
      kind: vmiKind,
      keysOf: (vmi) => (read.status(vmi).nodeName === undefined ? [] : ownKey(vmi)),
    },
  ],
  reconcile(client, { namespace, name }) {
    const vmi = client.get(vmiKind, namespace, name)
    client.world.guests?.removeFormer({ namespace: namespace ?? '', name }, vmi?.metadata.uid)
    if (!vmi || read.status(vmi).nodeName === undefined) return undefined
    if (vmi.metadata.deletionTimestamp !== undefined) return shutDown(client, vmi)
    if (phaseOf(vmi) === 'Scheduled') return boot(client, vmi)
    if (phaseOf(vmi) !== 'Running') return endPod(client, vmi)
    return syncGuest(client, vmi) ? undefined : reportAgent(client, vmi)
  },
  watchOther: ({ guests }, enqueue) =>
    guests?.onChange(({ namespace, name }) => enqueue({ namespace, name })) ?? (() => undefined),
}

const withTransition = (vmi: KubeObject, phase: string): JsonMap[] => [
  ...read.maps(read.status(vmi).phaseTransitionTimestamps),
  { phase, phaseTransitionTimestamp: clock.timestamp() },
]

function boot(client: Client, vmi: KubeObject): number | undefined {
  const waitMs = client.remainingMs('guestStart', vmi)
  if (waitMs > 0) return waitMs
  const pod = launcherOf(client, vmi)
  if (!pod || isDeleted(pod)) return undefined
  const running = client.setStatus(vmiKind, vmi, {
    ...withMigratability(vmi),
    phase: 'Running',
    phaseTransitionTimestamps: withTransition(vmi, 'Running'),
    migrationTransport: 'Unix',
    machine: { type: 'pc-q35-rhel9.6.0' },
    interfaces: interfacesAtBoot(vmi, pod),
    volumeStatus: withTargets(vmi, read.maps(read.status(vmi).volumeStatus)),
  })
  client.world.guests?.start(guestSpecOf(client, running))
  return undefined
}

/** The NICs that the launcher pod has. A NIC that was added in between is hotplugged later. */
function interfacesAtBoot(vmi: KubeObject, pod: KubeObject): JsonMap[] {
  const podIP = read.text(read.status(pod).podIP)
  const inPod = podNicsOf(pod)
  const isThere = (name: string): boolean =>
    !secondaryNetworksOf(vmi).some((network) => network.name === name) ||
    inPod.has(podNicName(vmi, name))
  return interfacesOf(vmi)
    .filter((nic) => !isAbsent(nic) && isThere(read.text(nic.name)))
    .map((nic) => {
      const onPodNetwork =
        nic.masquerade !== undefined ? { ipAddress: podIP, ipAddresses: [podIP] } : {}
      return { ...domainStatus(vmi, nic), ...onPodNetwork }
    })
}

function reportAgent(client: Client, vmi: KubeObject): number | undefined {
  if (!isAgentAnswering(client, vmi)) return undefined
  const interfaces = agentInterfaces(client, vmi)
  if (conditionOf(vmi, 'AgentConnected')) {
    client.setStatus(vmiKind, vmi, { ...read.status(vmi), interfaces })
    return undefined
  }
  const waitMs = client.remainingMs('agentStart', vmi)
  if (waitMs > 0) return waitMs
  const conditions = withCondition(conditionsOf(vmi), 'AgentConnected', { status: 'True' })
  const guestOSInfo = reportedOs(client, vmi)
  client.setStatus(
    vmiKind,
    vmi,
    filled({ ...read.status(vmi), interfaces, guestOSInfo, conditions }),
  )
  return undefined
}

/** Requests a shutdown of the guest and reports its end; the pod ends with it. */
function shutDown(client: Client, vmi: KubeObject): number | undefined {
  if (isFinal(vmi)) return endPod(client, vmi)
  const pod = launcherOf(client, vmi)
  const { guests } = client.world
  const { uid = '' } = vmi.metadata
  guests?.pressPowerButton(uid)
  const waitMs = pod && phaseOf(vmi) === 'Running' ? client.remainingMs('guestStop', vmi) : 0
  if (waitMs > 0) return waitMs
  guests?.halt(uid)
  client.setStatus(vmiKind, vmi, {
    ...read.status(vmi),
    phase: phaseOf(vmi) === 'Running' ? 'Succeeded' : 'Failed',
  })
  return undefined
}
