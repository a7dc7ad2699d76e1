const operators = ['DoesNotExist', 'Exists', 'Gt', 'In', 'Lt', 'NotIn']
const pullPolicies = ['Always', 'IfNotPresent', 'Never']
const schemes = ['HTTP', 'HTTPS']
const honouring = ['Honor', 'Ignore']

/** Allowed values of VMI spec fields in the webhooks' schema. The CRDs allow any text. */
const enums: Readonly<Record<string, readonly string[]>> = {
  'affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution.preference.matchExpressions.operator':
    operators,
  'affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution.preference.matchFields.operator':
    operators,
  'affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms.matchExpressions.operator':
    operators,
  'affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms.matchFields.operator':
    operators,
  dnsPolicy: ['ClusterFirst', 'ClusterFirstWithHostNet', 'Default', 'None'],
  'domain.firmware.kernelBoot.container.imagePullPolicy': pullPolicies,
  'livenessProbe.httpGet.scheme': schemes,
  'readinessProbe.httpGet.scheme': schemes,
  'tolerations.effect': ['NoExecute', 'NoSchedule', 'PreferNoSchedule'],
  'tolerations.operator': ['Equal', 'Exists'],
  'topologySpreadConstraints.nodeAffinityPolicy': honouring,
  'topologySpreadConstraints.nodeTaintsPolicy': honouring,
  'topologySpreadConstraints.whenUnsatisfiable': ['DoNotSchedule', 'ScheduleAnyway'],
  'volumes.containerDisk.imagePullPolicy': pullPolicies,
}

/**
 * Returns the allowed values at a path without list indexes; undefined when any text is allowed.
 */
export const enumOf = (path: string): readonly string[] | undefined =>
  enums[path.replace(/^spec\.(template\.spec\.)?/, '')]
