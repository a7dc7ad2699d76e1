import { type Alias } from '../objects/resource.ts'
import { type Cause } from '../objects/cause.ts'
import { dig } from '../objects/dig.ts'
import { type JsonMap, isMap } from '../objects/types.ts'

const required = ['reportingComponent', 'reportingInstance', 'action', 'reason'] as const
const unset = ['firstTimestamp', 'lastTimestamp', 'count', 'source'] as const

/** Field names of the core group, with their names in `events.k8s.io`. */
const renamed = {
  involvedObject: 'regarding',
  message: 'note',
  reportingComponent: 'reportingController',
  source: 'deprecatedSource',
  firstTimestamp: 'deprecatedFirstTimestamp',
  lastTimestamp: 'deprecatedLastTimestamp',
  count: 'deprecatedCount',
} as const

/** Events as `events.k8s.io` serves them. That group requires more fields of a writer. */
export const eventsAlias: Alias = {
  group: 'events.k8s.io',
  version: 'v1',
  renamed,
  causes: causesOf,
}

const missing = (field: string): Cause => ({
  reason: 'FieldValueRequired',
  message: 'Required value',
  field,
})
const wrong = (field: string, why: string): Cause => ({
  reason: 'FieldValueInvalid',
  message: `Invalid value: "": ${why}`,
  field,
})

function causesOf(event: JsonMap): Cause[] {
  const type = dig.text(event, 'type')
  return [
    ...(dig.text(event, 'eventTime') === '' ? [missing('eventTime')] : []),
    ...required
      .filter((field) => dig.text(event, field) === '')
      .map((field) => missing(nameOf(field))),
    ...(['Normal', 'Warning'].includes(type) ? [] : [wrong('type', `has invalid value: ${type}`)]),
    ...unset
      .filter((field) => isSet(event, field))
      .map((field) => wrong(field, 'needs to be unset')),
  ]
}

const nameOf = (field: (typeof required)[number]): string =>
  field === 'reportingComponent' ? 'reportingController' : field

function isSet(event: JsonMap, field: (typeof unset)[number]): boolean {
  const { [field]: value } = event
  return isMap(value)
    ? Object.keys(value).length > 0
    : value !== undefined && value !== null && value !== 0
}
