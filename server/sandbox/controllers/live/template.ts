import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { read } from '../../objects/read.ts'

/** The VMI template in the spec of a VM, with its volumes and disks. */
export interface Template {
  spec: JsonMap
  volumes: JsonMap[]
  disks: JsonMap[]
}

/** The template from which the VM's VMIs are created. */
export const templateOf = (vm: KubeObject): Template => templateIn(read.spec(vm))

export function templateIn(vmSpec: JsonMap): Template {
  const spec = read.map(read.at(vmSpec, 'template', 'spec'))
  return {
    spec,
    volumes: read.maps(spec.volumes),
    disks: read.maps(read.at(spec, 'domain', 'devices', 'disks')),
  }
}
