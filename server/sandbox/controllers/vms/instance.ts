import { type JsonMap, type KubeObject } from '../../apiserver/types.ts'
import { filled, read } from '../read.ts'
import { ownedBy } from '../owners.ts'
import { revisionName } from './revision.ts'
import { controllerFinalizer, deleteFinalizer } from './kinds.ts'

/** The instance that a VM wants, as KubeVirt fills it. */
export function instanceOf(vm: KubeObject): KubeObject {
  const template = read.map(read.spec(vm).template)
  const metadata = read.map(template.metadata)
  const spec = read.map(template.spec)
  const domain = domainOf(read.map(spec.domain))
  const memory = read.at(domain, 'memory', 'guest')
  const { sockets = 1, cores = 1, threads = 1 } = read.map(domain.cpu)
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: {
      name: vm.metadata.name,
      namespace: vm.metadata.namespace ?? '',
      labels: textsIn(read.map(metadata.labels)),
      annotations: { ...textsIn(read.map(metadata.annotations)), 'kubevirt.io/vm-generation': String(vm.metadata.generation ?? 1) },
      finalizers: [controllerFinalizer, deleteFinalizer],
      ownerReferences: [ownedBy(vm)],
    },
    spec: { ...spec, domain },
    status: filled({
      phase: 'Pending',
      currentCPUTopology: { cores, sockets, threads },
      memory: memory === undefined ? undefined : { guestAtBoot: memory, guestCurrent: memory, guestRequested: memory },
      virtualMachineRevisionName: revisionName(vm),
    }),
  }
}

function domainOf(domain: JsonMap): JsonMap {
  const cpu = read.map(domain.cpu)
  const sockets = Number(cpu.sockets ?? 1)
  return { ...domain, cpu: { cores: 1, sockets, threads: 1, model: 'host-model', maxSockets: sockets * 4, ...cpu } }
}

// What a template carries as labels and annotations is texts by its schema.
const textsIn = (map: JsonMap): Record<string, string> => map as Record<string, string>
