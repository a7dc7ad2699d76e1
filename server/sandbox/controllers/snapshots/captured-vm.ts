import { type Json, type JsonMap, type KubeObject } from '../../objects/types.ts'
import { type Client } from '../client.ts'
import { filled, read } from '../../objects/read.ts'
import { type Source } from './source.ts'

/**
 * The VM as the snapshot content stores it: the spec at start for a running VM, with its current
 * disks.
 */
export function capturedVm(client: Client, { vm, vmi }: Source): JsonMap {
  const { managedFields: _fields, ...metadata } = vm.metadata
  return {
    metadata,
    spec: vmi ? startedSpec(client, vm, vmi) : read.spec(vm),
    status: { printableStatus: 'Stopped' },
  }
}

function startedSpec(client: Client, vm: KubeObject, vmi: KubeObject): JsonMap {
  const revision = client.get(
    'controllerrevisions.apps',
    vm.metadata.namespace,
    read.text(read.status(vmi).virtualMachineRevisionName),
  )
  const started = read.map(read.at(revision, 'data', 'spec'))
  if (started.template === undefined) return read.spec(vm)
  const currentValue = (...path: string[]): Json | undefined =>
    read.at(vm, 'spec', 'template', 'spec', ...path)
  const template = read.map(started.template)
  const spec = read.map(template.spec)
  const domain = read.map(spec.domain)
  const devices = filled({
    ...read.map(domain.devices),
    disks: currentValue('domain', 'devices', 'disks'),
  })
  return filled({
    ...started,
    dataVolumeTemplates: read.spec(vm).dataVolumeTemplates,
    template: {
      ...template,
      spec: filled({ ...spec, domain: { ...domain, devices }, volumes: currentValue('volumes') }),
    },
  })
}
