import { clock } from '../../clock.ts'
import { type JsonMap } from '../../objects/types.ts'
import { type Client } from '../client.ts'

const version = 'v1.9.0-rc.2'
const kubevirts = 'kubevirts.kubevirt.io'
const observed = {
  'kubevirt.io/latest-observed-api-version': 'v1',
  'kubevirt.io/storage-observed-api-version': 'v1',
}

/**
 * Creates the KubeVirt object with the status that its operator reports, and the namespaces of
 * KubeVirt and CDI.
 */
export function seedKubeVirt(client: Client): void {
  if (client.get(kubevirts, 'kubevirt', 'kubevirt')) return
  for (const name of ['kubevirt', 'cdi']) {
    if (!client.get('namespaces', undefined, name))
      client.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  }
  const made = client.create(kubevirts, {
    apiVersion: 'kubevirt.io/v1',
    kind: 'KubeVirt',
    metadata: {
      name: 'kubevirt',
      namespace: 'kubevirt',
      annotations: observed,
      finalizers: ['kubevirt.io/foregroundDeleteKubeVirt'],
    },
    spec: {
      certificateRotateStrategy: {},
      configuration: {
        developerConfiguration: { useEmulation: true },
        virtTemplateDeployment: { enabled: false },
        vmRolloutStrategy: 'LiveUpdate',
      },
      customizeComponents: {},
      imagePullPolicy: 'IfNotPresent',
      infra: { replicas: 1 },
      workloadUpdateStrategy: { workloadUpdateMethods: ['LiveMigrate'] },
    },
  })
  client.setStatus(kubevirts, made, {
    conditions: [
      condition('Available', 'True', 'AllComponentsReady'),
      condition('Progressing', 'False', 'AllComponentsReady'),
      condition('Degraded', 'False', 'AllComponentsReady'),
      // KubeVirt reports this condition without a transition time.
      { ...condition('Created', 'True', 'AllResourcesCreated'), lastTransitionTime: null },
    ],
    defaultArchitecture: 'amd64',
    observedGeneration: 1,
    observedKubeVirtRegistry: 'quay.io/kubevirt',
    phase: 'Deployed',
    observedKubeVirtVersion: version,
    operatorVersion: version,
    targetKubeVirtVersion: version,
    targetKubeVirtRegistry: 'quay.io/kubevirt',
    outdatedVirtualMachineInstanceWorkloads: 0,
    synchronizationAddresses: ['10.244.0.9:9185'],
  })
}

const messages: Readonly<Record<string, string>> = {
  AllComponentsReady: 'All components are ready.',
  AllResourcesCreated: 'All resources were created.',
}

function condition(type: string, status: string, reason: string): JsonMap {
  const now = clock.timestamp()
  return {
    type,
    status,
    reason,
    message: messages[reason] ?? '',
    lastProbeTime: now,
    lastTransitionTime: now,
  }
}
