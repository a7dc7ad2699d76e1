import { isDeepStrictEqual } from 'node:util'
import { type Cause } from '../../objects/cause.ts'
import { type Admittance } from '../../objects/resource.ts'
import { type Json, type KubeObject, isMap } from '../../objects/types.ts'
import { durationMs } from '../../objects/duration.ts'
import { cause, mustHaveNone, unreadable } from '../refusals.ts'
import { read } from '../../objects/read.ts'

const webhook = 'virtualmachinesnapshot-validator.snapshot.kubevirt.io'

/** The rules for a new VirtualMachineSnapshot; that its VM exists is none of them. */
export function reviewSnapshot({ object, old }: Admittance): void {
  const { failureDeadline, source } = read.spec(object)
  if (failureDeadline !== undefined && durationMs(read.text(failureDeadline)) === null)
    throw unreadable(webhook, whyNoDuration(read.text(failureDeadline)))
  mustHaveNone(webhook, old ? changeCauses(old, object) : vmReferenceCauses('spec.source', source))
}

/** Snapshots, restores and exports are orders: to want something else is to make another one. */
export const changeCauses = (old: KubeObject, object: KubeObject): Cause[] =>
  isDeepStrictEqual(old.spec, object.spec)
    ? []
    : [cause.wrong('spec', 'spec in immutable after creation')]

/** Whether a VM is meant; that something is named at all is the schema's rule. */
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
