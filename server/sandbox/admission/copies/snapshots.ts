import { isDeepStrictEqual } from 'node:util'
import { type Cause } from '../../objects/cause.ts'
import { type WebhookRequest } from '../../objects/resource.ts'
import { type Json, type KubeObject, isMap } from '../../objects/types.ts'
import { durationMs } from '../../objects/duration.ts'
import { cause, denyIfAny, unreadable } from '../refusals.ts'
import { read } from '../../objects/read.ts'

const webhook = 'virtualmachinesnapshot-validator.snapshot.kubevirt.io'

/** Validates a VirtualMachineSnapshot. Its VM need not exist. */
export function reviewSnapshot({ object, old }: WebhookRequest): void {
  const { failureDeadline, source } = read.spec(object)
  if (failureDeadline !== undefined && durationMs(read.text(failureDeadline)) === null)
    throw unreadable(webhook, whyNoDuration(read.text(failureDeadline)))
  denyIfAny(webhook, old ? changeCauses(old, object) : vmReferenceCauses('spec.source', source))
}

/** The specs of snapshots, restores and exports are immutable. */
export const changeCauses = (old: KubeObject, object: KubeObject): Cause[] =>
  isDeepStrictEqual(old.spec, object.spec)
    ? []
    : [cause.wrong('spec', 'spec in immutable after creation')]

/** Causes when the reference names something other than a VM. The schema requires the reference. */
export function vmReferenceCauses(field: string, reference: Json | undefined): Cause[] {
  if (!isMap(reference)) return []
  const { apiGroup, kind } = reference
  if (apiGroup === undefined || apiGroup === null)
    return [cause.absent(`${field}.apiGroup`, 'missing apiGroup')]
  if (apiGroup !== 'kubevirt.io') return [cause.wrong(`${field}.apiGroup`, 'invalid apiGroup')]
  return kind === 'VirtualMachine' ? [] : [cause.wrong(`${field}.kind`, 'invalid kind')]
}

function whyNoDuration(text: string): string {
  const [, number, unit] = /^[+-]?(\d+\.?\d*|\.\d+)([^\d.]*)/.exec(text) ?? []
  if (number === undefined) return `time: invalid duration "${text}"`
  return unit === ''
    ? `time: missing unit in duration "${text}"`
    : `time: unknown unit "${unit}" in duration "${text}"`
}
