import { isDeepStrictEqual } from 'node:util'
import { type Cause } from '../../apiserver/cause.ts'
import { type Admittance } from '../../apiserver/resource.ts'
import { type JsonMap, type KubeObject } from '../../apiserver/types.ts'
import { durationMs } from '../../controllers/snapshots/duration.ts'
import { mapOf, specOf, textOf } from '../../controllers/snapshots/fields.ts'
import { absent, mustHaveNone, unreadable, wrong } from './refusals.ts'

const webhook = 'virtualmachinesnapshot-validator.snapshot.kubevirt.io'

/** The rules for a new VirtualMachineSnapshot; that its VM exists is none of them. */
export function admitSnapshot({ object, old }: Admittance): KubeObject {
  const { failureDeadline, source } = specOf(object)
  if (failureDeadline !== undefined && durationMs(textOf(failureDeadline)) === null)
    throw unreadable(webhook, whyNoDuration(textOf(failureDeadline)))
  mustHaveNone(webhook, old ? changeCauses(old, object) : vmReferenceCauses('spec.source', mapOf(source)))
  return object
}

/** Snapshots, restores and exports are orders: to want something else is to make another one. */
export const changeCauses = (old: KubeObject, object: KubeObject): Cause[] =>
  isDeepStrictEqual(old.spec, object.spec) ? [] : [wrong('spec', 'spec in immutable after creation')]

export function vmReferenceCauses(field: string, { apiGroup, kind }: JsonMap): Cause[] {
  if (apiGroup === undefined || apiGroup === null) return [absent(`${field}.apiGroup`, 'missing apiGroup')]
  if (apiGroup !== 'kubevirt.io') return [wrong(`${field}.apiGroup`, 'invalid apiGroup')]
  return kind === 'VirtualMachine' ? [] : [wrong(`${field}.kind`, 'invalid kind')]
}

function whyNoDuration(text: string): string {
  const [, number, unit] = /^[+-]?(\d+\.?\d*|\.\d+)([^\d.]*)/.exec(text) ?? []
  if (number === undefined) return `time: invalid duration "${text}"`
  return unit === '' ? `time: missing unit in duration "${text}"` : `time: unknown unit "${unit}" in duration "${text}"`
}
