import { type Schema } from '../objects/resource.ts'
import {
  anything,
  atomic,
  atomicList,
  each,
  flag,
  int,
  pointer,
  list,
  listBy,
  object,
  orNull,
  quantities,
  setOf,
  structOf,
  text,
  textMap,
  texts,
  written,
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
    matchExpressions: atomicList(
      object({ ...each(written(text), 'key', 'operator'), values: texts }),
    ),
  }),
)

const claimResources = object({ limits: quantities, requests: quantities })

const reference = { apiGroup: orNull(text), ...each(written(text), 'kind', 'name') }

const claim = object({
  spec: written(
    object({
      accessModes: texts,
      dataSource: atomic(object(reference)),
      dataSourceRef: object({ ...reference, namespace: pointer(text) }),
      resources: written(claimResources),
      selector,
      ...each(pointer(text), 'storageClassName', 'volumeAttributesClassName', 'volumeMode'),
      volumeName: text,
    }),
  ),
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
    taints: list(
      object({ ...each(written(text), 'effect', 'key'), ...each(text, 'timeAdded', 'value') }),
    ),
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
  allowVolumeExpansion: pointer(flag),
  allowedTopologies: list(atomic(anything)),
  mountOptions: texts,
  parameters: textMap,
  provisioner: written(text),
  ...each(pointer(text), 'reclaimPolicy', 'volumeBindingMode'),
})

const container = open(
  object({
    ...each(texts, 'args', 'command'),
    env: listBy(['name'], open(object({ name: written(text), value: text }))),
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
    ports: {
      ...listBy(
        ['containerPort', 'protocol'],
        object({
          containerPort: written(int),
          hostPort: int,
          ...each(text, 'hostIP', 'name', 'protocol'),
        }),
      ),
      keyDefaults: { protocol: 'TCP' },
    },
    resources: written(open(claimResources)),
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
      ...each(pointer(int), 'activeDeadlineSeconds', 'priority', 'terminationGracePeriodSeconds'),
      affinity,
      ...each(
        pointer(flag),
        'automountServiceAccountToken',
        'enableServiceLinks',
        'setHostnameAsFQDN',
      ),
      ...each(flag, 'hostIPC', 'hostNetwork', 'hostPID'),
      ...each(containers, 'containers', 'ephemeralContainers', 'initContainers'),
      ...each(
        text,
        'dnsPolicy',
        'hostname',
        'nodeName',
        'priorityClassName',
        'restartPolicy',
        'schedulerName',
      ),
      ...each(text, 'serviceAccount', 'serviceAccountName', 'subdomain'),
      runtimeClassName: pointer(text),
      imagePullSecrets: listBy(['name'], structOf(text, 'name')),
      nodeSelector: atomic(textMap),
      tolerations,
      volumes: listBy(['name'], open(object({ name: written(text) }))),
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
