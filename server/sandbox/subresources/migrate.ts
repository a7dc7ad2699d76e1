import { nameSuffix } from '../objects/name-suffix.ts'
import { type SubresourceHandler, instanceOf, isDry, subjectOf } from './call.ts'
import { ApiError } from '../objects/status.ts'
import { phaseOf } from '../objects/vms/phase.ts'
import { optionsIn } from './options.ts'
import { deny, empty } from './refusals.ts'

/** Handles `migrate` of a VM: creates the migration object that moves its VMI to another node. */
export const migrate: SubresourceHandler = (call) => {
  const options = optionsIn(call.body, 'v1.MigrateOptions')
  subjectOf(call)
  const { client, namespace, subject } = call
  const vmi = instanceOf(call)
  if (!vmi) throw deny.notFound({ kind: 'virtualmachineinstance', name: subject.name })
  if (phaseOf(vmi) !== 'Running') throw deny.conflict(subject, 'VM is not running')
  if (isDry(options)) return empty(202)
  const generateName = 'kubevirt-migrate-vm-'
  const metadata = { generateName, name: `${generateName}${nameSuffix()}`, namespace }
  try {
    client.create('virtualmachineinstancemigrations.kubevirt.io', {
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachineInstanceMigration',
      metadata,
      spec: { vmiName: subject.name },
    })
  } catch (error) {
    throw error instanceof ApiError ? deny.internal(error.message) : error
  }
  return empty(202)
}
