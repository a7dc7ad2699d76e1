import { randomInt } from 'node:crypto'
import { type Cause } from '../../objects/cause.ts'
import { type WebhookRequest } from '../../objects/resource.ts'
import { type Json, type JsonMap, type KubeObject } from '../../objects/types.ts'
import { cause, denyIfAny } from '../refusals.ts'
import { read } from '../../objects/read.ts'

const webhook = 'vm-clone-validator.kubevirt.io'

/** Sets a target name when it is missing, and validates a VirtualMachineClone. */
export function admitClone({ object, old }: WebhookRequest): KubeObject {
  const named = old ? object : withTarget(object)
  denyIfAny(webhook, causesIn(read.spec(named)))
  return named
}

const suffixAlphabet = 'bcdfghjklmnpqrstvwxz2456789'

function withTarget(object: KubeObject): KubeObject {
  const spec = read.spec(object)
  const requestedTarget = read.map(spec.target)
  const isNamed = read.text(requestedTarget.name) !== ''
  const suffix = Array.from(
    { length: 5 },
    () => suffixAlphabet[randomInt(suffixAlphabet.length)],
  ).join('')
  const name = isNamed
    ? requestedTarget.name
    : `clone-${read.text(read.at(spec, 'source', 'name'))}-${suffix}`
  const target =
    spec.target === undefined
      ? { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name }
      : { ...requestedTarget, name }
  return { ...object, spec: { ...spec, target, template: spec.template ?? {} } }
}

function causesIn(spec: JsonMap): Cause[] {
  const source = read.map(spec.source)
  const target = read.map(spec.target)
  const isOnto =
    source.kind === 'VirtualMachine' &&
    target.kind === 'VirtualMachine' &&
    source.name === target.name
  return [
    ...filterCauses('spec.annotations', spec.annotationFilters),
    ...filterCauses('spec.labels', spec.labelFilters),
    ...filterCauses('spec.template.annotations', read.at(spec, 'template', 'annotationFilters')),
    ...filterCauses('spec.template.labels', read.at(spec, 'template', 'labelFilters')),
    ...kindCauses(source, target),
    ...sourceCauses(source),
    ...(isOnto
      ? [
          cause.wrong(
            'spec.target.name',
            'Target name cannot be equal to source name when both are VirtualMachines',
          ),
        ]
      : []),
    ...macCauses(read.map(spec.newMacAddresses)),
    ...patchCauses(read.texts(spec.patches)),
  ]
}

function kindCauses(source: JsonMap, target: JsonMap): Cause[] {
  const isSource = source.kind === 'VirtualMachine' || source.kind === 'VirtualMachineSnapshot'
  return [
    ...(isSource ? [] : [cause.wrong('spec.Source.Kind', 'Source kind is not supported')]),
    ...(target.kind === 'VirtualMachine'
      ? []
      : [cause.wrong('spec.Target.Kind', 'Target kind is not supported')]),
  ]
}

const sourceCauses = ({ apiGroup, kind, name }: JsonMap): Cause[] => [
  ...(read.text(apiGroup) === ''
    ? [cause.wrong('spec.Source.APIGroup', "Source's APIGroup cannot be empty")]
    : []),
  ...(read.text(kind) === '' ? [cause.wrong('spec.Source', "Source's Kind cannot be empty")] : []),
  ...(read.text(name) === ''
    ? [cause.wrong('spec.Source.Name', "Source's name cannot be empty")]
    : []),
]

const macForms = [
  /^([0-9a-f]{2}:){5}[0-9a-f]{2}$/i,
  /^([0-9a-f]{2}-){5}[0-9a-f]{2}$/i,
  /^([0-9a-f]{4}\.){2}[0-9a-f]{4}$/i,
]

const macCauses = (addresses: JsonMap): Cause[] =>
  Object.entries(addresses)
    .filter(
      ([, address]) =>
        read.text(address) !== '' && !macForms.some((form) => form.test(read.text(address))),
    )
    .map(([name, address]) =>
      cause.wrong(
        `spec.newMacAddresses.${name}`,
        `interface ${name} has malformed MAC address (${read.text(address)}).`,
      ),
    )

const patchCauses = (patches: readonly string[]): Cause[] =>
  patches.flatMap((patch, index) =>
    isJson(patch)
      ? []
      : [cause.wrong(`spec.patches[${index}]`, `patch is not valid JSON (${patch})`)],
  )

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** A filter may begin with `!` and end with `*`. Neither may occur elsewhere in it. */
function filterCauses(field: string, filters: Json | undefined): Cause[] {
  return read.texts(filters).flatMap((filter) => {
    if (filter === '!') return [cause.wrong(field, 'a negation character is not a valid filter')]
    const why = (what: string, character: string, rule: string): Cause =>
      cause.wrong(
        field,
        `${field} filter ${filter} is invalid: cannot contain a ${what} character (${character}); FilterRules: ${rule}`,
      )
    return [
      ...(filter.slice(1).includes('!')
        ? [why('negation', '!', 'NegationChar can be only used at the beginning of the filter')]
        : []),
      ...(filter.slice(0, -1).includes('*')
        ? [why('wildcard', '*', 'WildcardChar can be only at the end of the filter')]
        : []),
    ]
  })
}
