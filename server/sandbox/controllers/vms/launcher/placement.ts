import { type JsonMap, type KubeObject } from '../../../objects/types.ts'
import { filled, read } from '../../../objects/read.ts'
import { type LauncherContext } from './context.ts'

/** The scheduling constraints of the launcher pod. */
export function placementOf(vmi: KubeObject, context: LauncherContext): JsonMap {
  const { affinity, schedulerName, tolerations, topologySpreadConstraints, priorityClassName } =
    read.spec(vmi)
  const forbidden = forbiddenLabels(vmi)
  return filled({
    nodeSelector: selectorOf(vmi, context),
    affinity: forbidden.length > 0 ? without(forbidden, read.map(affinity)) : affinity,
    schedulerName,
    tolerations,
    topologySpreadConstraints,
    priorityClassName,
  })
}

function selectorOf(vmi: KubeObject, { configuration }: LauncherContext): Record<string, string> {
  const spec = read.spec(vmi)
  const architecture = read.text(spec.architecture)
  return {
    'kubevirt.io/schedulable': 'true',
    ...(architecture === '' ? {} : { 'kubernetes.io/arch': architecture }),
    ...texts(read.map(read.at(configuration.developerConfiguration, 'nodeSelectors'))),
    ...texts(read.map(spec.nodeSelector)),
    ...Object.fromEntries(neededLabels(vmi).map((label) => [label, 'true'])),
  }
}

const texts = (map: JsonMap): Record<string, string> =>
  Object.fromEntries(Object.entries(map).map(([key, value]) => [key, read.text(value)]))

/** The node-labeller labels that a node must have. */
function neededLabels(vmi: KubeObject): string[] {
  const domain = read.map(read.spec(vmi).domain)
  const cpu = read.map(domain.cpu)
  const model = read.text(cpu.model)
  const type =
    read.text(read.at(vmi.status, 'machine', 'type')) || read.text(read.at(domain.machine, 'type'))
  const required = model === '' ? [] : featuresOf(cpu, ['', 'require'])
  return [
    ...(cpu.dedicatedCpuPlacement === true ? ['cpumanager'] : []),
    ...(['', 'host-model', 'host-passthrough'].includes(model)
      ? []
      : [`cpu-model.node.kubevirt.io/${model}`]),
    ...(type === '' ? [] : [`machine-type.node.kubevirt.io/${type}`]),
    ...required.map((feature) => `cpu-feature.node.kubevirt.io/${feature}`),
    ...(cpu.realtime === undefined ? [] : ['kubevirt.io/realtime']),
  ]
}

const featuresOf = (cpu: JsonMap, policies: readonly string[]): string[] =>
  read
    .maps(cpu.features)
    .filter(({ policy }) => policies.includes(read.text(policy)))
    .map(({ name }) => read.text(name))

function forbiddenLabels(vmi: KubeObject): string[] {
  const cpu = read.map(read.at(vmi.spec, 'domain', 'cpu'))
  // With host-model the CPU model of the node applies, which the node-labeller may mark as
  // obsolete.
  const isOfHost = ['', 'host-model'].includes(read.text(cpu.model))
  const features = featuresOf(cpu, ['forbid']).map(
    (feature) => `cpu-feature.node.kubevirt.io/${feature}`,
  )
  return [...(isOfHost ? ['node-labeller.kubevirt.io/obsolete-host-model'] : []), ...features]
}

const required = 'requiredDuringSchedulingIgnoredDuringExecution'

/** Adds the requirement to every term, because a node needs to match only one. */
function without(labels: readonly string[], affinity: JsonMap): JsonMap {
  const nodeAffinity = read.map(affinity.nodeAffinity)
  const existingTerms = read.maps(read.at(nodeAffinity, required, 'nodeSelectorTerms'))
  const absent = labels.map((key) => ({ key, operator: 'DoesNotExist' }))
  const terms =
    existingTerms.length > 0 || nodeAffinity[required] !== undefined ? existingTerms : [{}]
  const nodeSelectorTerms = terms.map((term) => ({
    ...term,
    matchExpressions: [...read.maps(read.map(term).matchExpressions), ...absent],
  }))
  return { ...affinity, nodeAffinity: { ...nodeAffinity, [required]: { nodeSelectorTerms } } }
}
