import { type Schema } from '../objects/resource.ts'
import {
  anything,
  atomic,
  atomicList,
  each,
  flag,
  int,
  list,
  listBy,
  object,
  quantities,
  setOf,
  structOf,
  text,
  textMap,
  texts,
} from '../objects/schema.ts'
import { affinity, objectReference, tolerations } from './shared.ts'

/*
 * Field tables of the larger core kinds. Lists have the types that strategic merge and server-side
 * apply give them. Fields that the sandbox does not read, such as the many sources of a volume,
 * are open below their name.
 */
const open = (schema: Schema): Schema => ({
  ...schema,
  'x-kubernetes-preserve-unknown-fields': true,
})

const condition = object(
  each(
    text,
    'type',
    'status',
    'reason',
    'message',
    'lastTransitionTime',
    'lastProbeTime',
    'lastHeartbeatTime',
  ),
)
const conditions = listBy(['type'], condition)

const selector = atomic(
  object({
    matchLabels: textMap,
    matchExpressions: atomicList(object({ ...each(text, 'key', 'operator'), values: texts })),
  }),
)

const claimResources = object({ limits: quantities, requests: quantities })

const claim = object({
  spec: object({
    accessModes: texts,
    dataSource: atomic(structOf(text, 'apiGroup', 'kind', 'name')),
    dataSourceRef: structOf(text, 'apiGroup', 'kind', 'name', 'namespace'),
    resources: claimResources,
    selector,
    ...each(text, 'storageClassName', 'volumeAttributesClassName', 'volumeMode', 'volumeName'),
  }),
  status: object({
    accessModes: texts,
    allocatedResources: quantities,
    allocatedResourceStatuses: textMap,
    capacity: quantities,
    conditions,
    ...each(text, 'currentVolumeAttributesClassName', 'phase'),
    modifyVolumeStatus: structOf(text, 'status', 'targetVolumeAttributesClassName'),
  }),
})

const volume = object({
  spec: open(
    object({
      ...each(texts, 'accessModes', 'mountOptions'),
      capacity: quantities,
      claimRef: objectReference,
      csi: open(
        object({
          ...each(text, 'driver', 'fsType', 'volumeHandle'),
          readOnly: flag,
          volumeAttributes: textMap,
        }),
      ),
      nodeAffinity: anything,
      ...each(
        text,
        'persistentVolumeReclaimPolicy',
        'storageClassName',
        'volumeAttributesClassName',
        'volumeMode',
      ),
    }),
  ),
  status: object(each(text, 'lastPhaseTransitionTime', 'message', 'phase', 'reason')),
})

const nodeInfo = open(
  structOf(
    text,
    'architecture',
    'bootID',
    'kernelVersion',
    'kubeletVersion',
    'machineID',
    'operatingSystem',
    'osImage',
  ),
)

const node = object({
  spec: object({
    ...each(text, 'externalID', 'podCIDR', 'providerID'),
    configSource: anything,
    podCIDRs: setOf(text),
    taints: list(structOf(text, 'effect', 'key', 'timeAdded', 'value')),
    unschedulable: flag,
  }),
  status: open(
    object({
      addresses: listBy(['type'], structOf(text, 'address', 'type')),
      ...each(quantities, 'allocatable', 'capacity'),
      conditions,
      nodeInfo,
      phase: text,
    }),
  ),
})

const storageClass = object({
  allowVolumeExpansion: flag,
  allowedTopologies: list(atomic(anything)),
  mountOptions: texts,
  parameters: textMap,
  ...each(text, 'provisioner', 'reclaimPolicy', 'volumeBindingMode'),
})

const container = open(
  object({
    ...each(texts, 'args', 'command'),
    env: listBy(['name'], open(structOf(text, 'name', 'value'))),
    envFrom: list(anything),
    ...each(
      text,
      'image',
      'imagePullPolicy',
      'name',
      'restartPolicy',
      'terminationMessagePath',
      'terminationMessagePolicy',
      'workingDir',
    ),
    ...each(
      anything,
      'lifecycle',
      'livenessProbe',
      'readinessProbe',
      'securityContext',
      'startupProbe',
    ),
    ports: listBy(
      ['containerPort', 'protocol'],
      object({
        ...each(int, 'containerPort', 'hostPort'),
        ...each(text, 'hostIP', 'name', 'protocol'),
      }),
    ),
    resources: open(claimResources),
    ...each(flag, 'stdin', 'stdinOnce', 'tty'),
    volumeDevices: listBy(['devicePath'], structOf(text, 'devicePath', 'name')),
    volumeMounts: listBy(
      ['mountPath'],
      open(object({ ...each(text, 'mountPath', 'name', 'subPath'), readOnly: flag })),
    ),
  }),
)

const containers = listBy(['name'], container)

const pod = object({
  spec: open(
    object({
      ...each(int, 'activeDeadlineSeconds', 'priority', 'terminationGracePeriodSeconds'),
      affinity,
      ...each(
        flag,
        'automountServiceAccountToken',
        'enableServiceLinks',
        'hostIPC',
        'hostNetwork',
        'hostPID',
        'setHostnameAsFQDN',
      ),
      ...each(containers, 'containers', 'ephemeralContainers', 'initContainers'),
      ...each(
        text,
        'dnsPolicy',
        'hostname',
        'nodeName',
        'priorityClassName',
        'restartPolicy',
        'runtimeClassName',
        'schedulerName',
      ),
      ...each(text, 'serviceAccount', 'serviceAccountName', 'subdomain'),
      imagePullSecrets: listBy(['name'], structOf(text, 'name')),
      nodeSelector: atomic(textMap),
      tolerations,
      volumes: listBy(['name'], open(object({ name: text }))),
    }),
  ),
  status: open(
    object({
      conditions,
      ...each(list(anything), 'containerStatuses', 'initContainerStatuses'),
      ...each(
        text,
        'hostIP',
        'message',
        'nominatedNodeName',
        'phase',
        'podIP',
        'qosClass',
        'reason',
        'startTime',
      ),
      podIPs: listBy(['ip'], structOf(text, 'ip')),
    }),
  ),
})

export const objects = { claim, node, pod, storageClass, volume } satisfies Record<string, Schema>
