import { type Json, type JsonMap, type KubeObject } from '../../../objects/types.ts'
import { filled, read } from '../../../objects/read.ts'

/** KubeVirt adds this delay because the guest's monitor must start first. */
const startupSeconds = 10

/** The VMI's probes as probes of the compute container, through which the kubelet runs them. */
export const probesOf = (vmi: KubeObject): JsonMap =>
  filled({
    livenessProbe: probeOf(vmi, read.spec(vmi).livenessProbe),
    readinessProbe: probeOf(vmi, read.spec(vmi).readinessProbe),
  })

function probeOf(vmi: KubeObject, requested: Json | undefined): JsonMap | undefined {
  if (requested === undefined) return undefined
  const { guestAgentPing, exec, initialDelaySeconds = 0, ...probe } = read.map(requested)
  const timeoutSeconds = Number(probe.timeoutSeconds ?? 1)
  const delayed = {
    ...probe,
    timeoutSeconds,
    initialDelaySeconds: Number(initialDelaySeconds) + startupSeconds,
  }
  const domain = ['--domainName', `${vmi.metadata.namespace ?? ''}_${vmi.metadata.name}`]
  const wait = ['--timeoutSeconds', String(timeoutSeconds)]
  // The call through virt-probe needs one second more.
  const longer = { ...delayed, timeoutSeconds: timeoutSeconds + 1 }
  if (guestAgentPing !== undefined)
    return { ...longer, exec: { command: ['virt-probe', ...domain, ...wait, '--guestAgentPing'] } }
  const [program, ...args] = read.texts(read.at(exec, 'command'))
  if (program === undefined || program === 'virt-probe') return filled({ ...delayed, exec })
  return {
    ...longer,
    exec: { command: ['virt-probe', ...domain, ...wait, '--command', program, '--', ...args] },
  }
}
