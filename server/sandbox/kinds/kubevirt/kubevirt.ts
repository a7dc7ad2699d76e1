import { type Schema } from '../../objects/resource.ts'
import {
  atMost,
  atomicList,
  atomicTexts,
  each,
  empty,
  flag,
  int,
  int32,
  int64,
  list,
  listBy,
  mapOf,
  nullable,
  object,
  oneOf,
  quantity,
  setOf,
  structOf,
  text,
  textMap,
  texts,
  withDefault,
  within,
} from '../../objects/schema.ts'
import { condition, labelSelector, localReference, resources } from '../shared.ts'
import { certificateTerm, componentPatches, nodePlacement, tlsVersion } from '../operators.ts'
import { migrationSettings } from './migration.ts'

const number: Schema = { type: 'number' }

const restClient = object({
  restClient: object({
    rateLimiter: object({
      tokenBucketRateLimiter: object({ burst: int, qps: number }, 'burst', 'qps'),
    }),
  }),
})

const architecture = object({
  emulatedMachines: atomicTexts,
  ...each(text, 'machineType', 'ovmfPath'),
})
const deployment = nullable(object({ enabled: nullable(flag) }))

const developerConfiguration = object({
  ...each(flag, 'clusterProfiler', 'useEmulation'),
  ...each(int, 'cpuAllocationRatio', 'pvcTolerateLessSpaceUpToPercent'),
  ...each(atomicTexts, 'disabledFeatureGates', 'featureGates'),
  diskVerification: object({ memoryLimit: quantity }, 'memoryLimit'),
  logVerbosity: object({
    nodeVerbosity: mapOf(int),
    ...each(
      int,
      'virtAPI',
      'virtController',
      'virtHandler',
      'virtLauncher',
      'virtOperator',
      'virtSynchronizationController',
    ),
  }),
  memoryOvercommit: within(int, 10),
  ...each(int64, 'minimumClusterTSCFrequency', 'minimumReservePVCBytes'),
  nodeSelectors: textMap,
})

const mediatedTypes = each(atomicTexts, 'mediatedDeviceTypes', 'mediatedDevicesTypes')

const mediatedDevicesConfiguration = object({
  enabled: flag,
  ...mediatedTypes,
  nodeMediatedDeviceTypes: atomicList(
    object({ ...mediatedTypes, nodeSelector: textMap }, 'nodeSelector'),
  ),
})

const permitted = (selector: string, schema: Schema, ...required: readonly string[]): Schema =>
  atomicList(
    object(
      { externalResourceProvider: flag, resourceName: text, [selector]: schema },
      'resourceName',
      ...required,
    ),
  )

const permittedHostDevices = object({
  mediatedDevices: permitted('mdevNameSelector', text, 'mdevNameSelector'),
  pciHostDevices: permitted('pciVendorSelector', text, 'pciVendorSelector'),
  usb: permitted(
    'selectors',
    atomicList(object(each(text, 'product', 'vendor'), 'product', 'vendor')),
  ),
})

const binding = object({
  computeResourceOverhead: resources,
  ...each(
    text,
    'domainAttachmentType',
    'downwardAPI',
    'networkAttachmentDefinition',
    'sidecarImage',
  ),
  migration: structOf(text, 'method'),
})

const attestation = object({
  enforced: withDefault(false, flag),
  qgsSocketPath: withDefault('/var/run/tdx-qgs/qgs.socket', text),
})

const scheduling = {
  autoCPULimitNamespaceLabelSelector: labelSelector,
  changedBlockTrackingLabelSelectors: nullable(
    structOf(labelSelector, 'namespaceLabelSelector', 'virtualMachineLabelSelector'),
  ),
  ksmConfiguration: structOf(labelSelector, 'nodeLabelSelector'),
}

const configuration = object({
  ...each(
    text,
    'additionalGuestMemoryOverheadRatio',
    'cpuModel',
    'defaultRuntimeClass',
    'evictionStrategy',
    'imagePullPolicy',
  ),
  ...each(
    text,
    'machineType',
    'minCPUModel',
    'ovmfPath',
    'selinuxLauncherType',
    'vmStateStorageClass',
  ),
  ...each(
    restClient,
    'apiConfiguration',
    'controllerConfiguration',
    'handlerConfiguration',
    'webhookConfiguration',
  ),
  ...each(
    deployment,
    'commonInstancetypesDeployment',
    'persistentReservationConfiguration',
    'virtTemplateDeployment',
  ),
  ...each(texts, 'emulatedMachines', 'supportedGuestAgentVersions'),
  ...scheduling,
  architectureConfiguration: object({
    ...each(architecture, 'amd64', 'arm64', 'ppc64le', 's390x'),
    defaultArchitecture: text,
  }),
  confidentialCompute: nullable(object({ tdx: nullable(object({ attestation })) })),
  cpuRequest: quantity,
  developerConfiguration,
  hypervisors: atMost(1, atomicList(object({ name: oneOf('kvm', 'hyperv-direct') }))),
  instancetype: nullable(
    object({ referencePolicy: nullable(oneOf('reference', 'expand', 'expandAll')) }),
  ),
  liveUpdateConfiguration: object({
    ...each(int32, 'maxCpuSockets', 'maxHotplugRatio'),
    maxGuest: quantity,
  }),
  mediatedDevicesConfiguration,
  memBalloonStatsPeriod: int32,
  migrations: object(migrationSettings),
  network: object({
    binding: mapOf(binding),
    defaultNetworkInterface: text,
    ...each(flag, 'permitBridgeInterfaceOnPodNetwork', 'permitSlirpInterface'),
  }),
  obsoleteCPUModels: mapOf(flag),
  permittedHostDevices,
  roleAggregationStrategy: oneOf('AggregateToDefault', 'Manual'),
  seccompConfiguration: object({
    virtualMachineInstanceProfile: object({
      customProfile: object({ localhostProfile: text, runtimeDefaultProfile: flag }),
    }),
  }),
  smbios: structOf(text, 'family', 'manufacturer', 'product', 'sku', 'version'),
  supportContainerResources: listBy(
    ['type'],
    object({ resources, type: text }, 'resources', 'type'),
  ),
  tlsConfiguration: object({ ciphers: setOf(text), minTLSVersion: tlsVersion }),
  virtualMachineInstancesPerNode: int,
  virtualMachineOptions: structOf(empty, 'disableFreePageReporting', 'disableSerialConsoleLog'),
  vmRolloutStrategy: nullable(oneOf('Stage', 'LiveUpdate')),
})

const replicated = object({ nodePlacement, replicas: int })

const generation = object(
  { ...each(text, 'group', 'hash', 'name', 'namespace', 'resource'), lastGeneration: int64 },
  'group',
  'lastGeneration',
  'name',
  'resource',
)

/** Schema of the kind KubeVirt, as its CRD declares it: the configuration of an installation. */
export const kubeVirt = object(
  {
    spec: object({
      certificateRotateStrategy: object({
        selfSigned: object({
          ...each(certificateTerm, 'ca', 'server'),
          ...each(text, 'caOverlapInterval', 'caRotateInterval', 'certRotateInterval'),
        }),
      }),
      configuration,
      customizeComponents: object({
        flags: structOf(textMap, 'api', 'controller', 'handler'),
        patches: componentPatches,
      }),
      ...each(
        text,
        'imagePullPolicy',
        'imageRegistry',
        'imageTag',
        'monitorAccount',
        'monitorNamespace',
        'productComponent',
      ),
      ...each(
        text,
        'productName',
        'productVersion',
        'serviceMonitorNamespace',
        'synchronizationPort',
        'uninstallStrategy',
      ),
      imagePullSecrets: atomicList(localReference),
      infra: replicated,
      workloads: replicated,
      workloadUpdateStrategy: object({
        batchEvictionInterval: text,
        batchEvictionSize: int,
        workloadUpdateMethods: atomicTexts,
      }),
    }),
    status: object({
      conditions: list(condition),
      generations: atomicList(generation),
      ...each(
        text,
        'defaultArchitecture',
        'observedDeploymentConfig',
        'observedDeploymentID',
        'observedKubeVirtRegistry',
      ),
      ...each(
        text,
        'observedKubeVirtVersion',
        'operatorVersion',
        'phase',
        'targetDeploymentConfig',
        'targetDeploymentID',
      ),
      ...each(text, 'targetKubeVirtRegistry', 'targetKubeVirtVersion'),
      observedGeneration: int64,
      outdatedVirtualMachineInstanceWorkloads: int,
      synchronizationAddresses: atomicTexts,
    }),
  },
  'spec',
)
