import { fieldAt } from '../../engine/kube/field-at.ts'
import { type ApiObject } from '../../engine/kube/objects.ts'

/** The spec of the VMI in a VM object. */
export const vmTemplate = ['spec', 'template', 'spec'] as const
export const devices = [...vmTemplate, 'domain', 'devices'] as const

/**
 * Fields that Berth never sets and no default fills. They change where or how the VM runs, or give
 * it devices and credentials.
 */
const foreignSettings: readonly (readonly string[])[] = [
  ['spec', 'instancetype'],
  ['spec', 'preference'],
  [...vmTemplate, 'accessCredentials'],
  [...vmTemplate, 'affinity'],
  [...vmTemplate, 'livenessProbe'],
  [...vmTemplate, 'nodeSelector'],
  [...vmTemplate, 'readinessProbe'],
  [...vmTemplate, 'tolerations'],
  [...vmTemplate, 'domain', 'resources'],
  [...devices, 'filesystems'],
  [...devices, 'gpus'],
  [...devices, 'hostDevices'],
]

/** Lists the fields of a VM object that Berth never sets. */
export const foreignSettingsOf = (vm: ApiObject): (readonly string[])[] =>
  foreignSettings.filter((path) => isSet(fieldAt(vm, ...path)))

export const isSet = (field: unknown): boolean =>
  typeof field === 'object' && field !== null && Object.keys(field).length > 0
