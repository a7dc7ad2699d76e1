import { type Cause } from '../../objects/cause.ts'
import { type WebhookRequest } from '../../objects/resource.ts'
import { type JsonMap } from '../../objects/types.ts'
import { cause, denyIfAny } from '../refusals.ts'
import { changeCauses } from './snapshots.ts'
import { read } from '../../objects/read.ts'

const webhook = 'virtualmachineexport-validator.export.kubevirt.io'

/** The kinds that can be exported, with their names in messages and their required API group. */
const sources: Readonly<Record<string, { called: string; named: string; group: string }>> = {
  PersistentVolumeClaim: { called: 'PVC', named: 'PVC', group: '' },
  VirtualMachineSnapshot: {
    called: 'VMSnapshot',
    named: 'VMSnapshot',
    group: 'snapshot.kubevirt.io',
  },
  VirtualMachine: { called: 'VM', named: 'Virtual Machine', group: 'kubevirt.io' },
  VirtualMachineBackup: {
    called: 'VirtualMachineBackup',
    named: 'VirtualMachineBackup',
    group: 'backup.kubevirt.io',
  },
}

/** Validates a VirtualMachineExport. Its source need not exist yet. */
export function reviewExport({ object, old }: WebhookRequest): void {
  denyIfAny(
    webhook,
    old ? changeCauses(old, object) : sourceCauses(read.map(read.spec(object).source)),
  )
}

function sourceCauses({ apiGroup, kind, name }: JsonMap): Cause[] {
  const source = sources[read.text(kind)]
  if (!source) return [cause.wrong('spec.source.kind', 'invalid kind')]
  const { called, named, group } = source
  const groupRule =
    group === ''
      ? `${called} API group must be missing or blank`
      : `${called} API group must be ${group}`
  return [
    ...(read.text(name) === ''
      ? [cause.wrong('spec.source.name', `${named} name must not be empty`)]
      : []),
    ...(read.text(apiGroup) === group ? [] : [cause.wrong('spec.source.APIGroup', groupRule)]),
  ]
}
