import { type Cause } from '../../../objects/cause.ts'
import { type JsonMap } from '../../../objects/types.ts'
import { read } from '../../../objects/read.ts'
import { cause } from '../../refusals.ts'
import { interfaceCauses } from './interfaces.ts'
import { type RuleContext, type Rule, causesWhere, parts } from '../rules/rule.ts'

/** Validates networks and the interfaces on them. */
export const networks: Rule = (context) =>
  [...rules, interfaceNames, interfaceFields].flatMap((rule) => rule(context))

const isDefault = ({ pod, multus }: JsonMap): boolean =>
  pod !== undefined || read.at(multus, 'default') === true

const rules: readonly Rule[] = [
  function singleDefault(context) {
    const all = parts.networks(context)
    const pods = all.filter(({ pod }) => pod !== undefined).length
    const defaults = all.filter(({ multus }) => read.at(multus, 'default') === true).length
    const list = `${context.at}.networks`
    const interfaces = `${context.at}.interfaces`
    return causesWhere(
      [
        pods > 1,
        cause.repeated(
          interfaces,
          `more than one interface is connected to a pod network in ${interfaces}`,
        ),
      ],
      [defaults > 1, cause.wrong(list, 'Multus CNI should only have one default network')],
      [
        pods > 0 && defaults > 0,
        cause.wrong(list, 'Pod network cannot be defined when Multus default network is defined'),
      ],
    )
  },

  (context) =>
    parts.networks(context).flatMap(({ pod, multus, resourceClaim }, index) => {
      const types = [pod, multus, resourceClaim].filter((each) => each !== undefined).length
      const field = `${context.at}.networks[${index}]`
      return causesWhere(
        [types === 0, cause.required(field, 'should have a network type')],
        [types > 1, cause.required(field, 'should have only one network type')],
      )
    }),

  function namedAttachment(context) {
    const nameless = parts
      .networks(context)
      .findIndex(
        ({ multus }) => multus !== undefined && read.text(read.at(multus, 'networkName')) === '',
      )
    const message = 'CNI delegating plugin must have a networkName'
    return nameless === -1 ? [] : [cause.required(`${context.at}.networks[${nameless}]`, message)]
  },

  stateCauses,
  (context) =>
    parts.interfaces(context).flatMap((each, index) => bindingCauses(context, each, index)),

  (context) =>
    repeatedIn(parts.networks(context)).map(({ name, index }) =>
      cause.repeated(
        `${context.at}.networks[${index}].name`,
        `Network with name ${JSON.stringify(name)} already exists, every network must have a unique name`,
      ),
    ),

  (context) =>
    causesWhere([
      parts.networks(context).some(({ resourceClaim }) => resourceClaim !== undefined) &&
        !context.config.isGateEnabled('NetworkDevicesWithDRA'),
      cause.wrong(
        `${context.at}.networks`,
        'vmi.spec.networks contains DRA networks but NetworkDevicesWithDRA feature gate is not enabled',
      ),
    ]),

  (context) =>
    unmatched(parts.networks(context), parts.interfaces(context)).map(({ name, index }) => {
      const field = `${context.at}.networks[${index}].name`
      return cause.required(field, `${field} '${name}' not found.`)
    }),
]

interface Named {
  name: string
  index: number
}

const repeatedIn = (list: readonly JsonMap[]): Named[] =>
  list.flatMap(({ name }, index) =>
    list.findIndex((other) => other.name === name) === index
      ? []
      : [{ name: read.text(name), index }],
  )

const unmatched = (list: readonly JsonMap[], candidates: readonly JsonMap[]): Named[] =>
  list.flatMap(({ name }, index) =>
    candidates.some((other) => other.name === name) ? [] : [{ name: read.text(name), index }],
  )

const interfaceNames: Rule = (context) => {
  const field = (index: number): string => `${context.at}.domain.devices.interfaces[${index}].name`
  const all = parts.interfaces(context)
  return [
    ...repeatedIn(all).map(({ index }) =>
      cause.repeated(field(index), 'Only one interface can be connected to one specific network'),
    ),
    ...unmatched(all, parts.networks(context)).map(({ name, index }) =>
      cause.wrong(field(index), `${field(index)} '${name}' not found.`),
    ),
  ]
}

const interfaceFields: Rule = (context) =>
  parts.interfaces(context).flatMap((_each, index) => interfaceCauses(context, index))

function stateCauses(context: RuleContext): Cause[] {
  const primary = parts.networks(context).find(isDefault)
  return parts.interfaces(context).flatMap(({ name, state, sriov, bridge }, index) => {
    const field = `${context.at}.domain.devices.interfaces[${index}].state`
    const [who, what] = [read.text(name), read.text(state)]
    const subject = `${JSON.stringify(who)} interface's state ${JSON.stringify(what)} is`
    const isAbsent = what === 'absent'
    return causesWhere(
      [
        !['', 'absent', 'down', 'up'].includes(what),
        cause.wrong(field, `logical ${who} interface state value is unsupported: ${what}`),
      ],
      [
        sriov !== undefined && ['down', 'up'].includes(what),
        cause.wrong(field, `${subject} not supported for SR-IOV NICs`),
      ],
      [
        isAbsent && bridge === undefined,
        cause.wrong(field, `${subject} supported only for bridge binding`),
      ],
      [
        isAbsent && primary?.name === name,
        cause.wrong(field, `${subject} not supported on default networks`),
      ],
    )
  })
}

const bindings = ['bridge', 'masquerade', 'sriov', 'passtBinding', 'binding']
const reservedMac = '02:00:00:00:00:00'

function bindingCauses(context: RuleContext, each: JsonMap, index: number): Cause[] {
  const at = `${context.at}.domain.devices.interfaces[${index}]`
  const onPod = parts
    .networks(context)
    .some(({ name, pod }) => name === each.name && pod !== undefined)
  const [masquerades, bridges, passes] = ['masquerade', 'bridge', 'passtBinding'].map(
    (binding) => each[binding] !== undefined,
  )
  const wrong = (message: string): Cause => cause.wrong(`${at}.name`, message)
  return causesWhere(
    [
      bindings.filter((binding) => each[binding] !== undefined).length !== 1,
      cause.wrong(
        at,
        `logical ${read.text(each.name)} interface must have exactly one binding method or binding plugin`,
      ),
    ],
    [
      masquerades === true && !onPod,
      wrong('Masquerade interface only implemented with pod network'),
    ],
    [
      masquerades === true && each.macAddress === reservedMac,
      cause.wrong(
        `${at}.macAddress`,
        'The requested MAC address is reserved for the in-pod bridge. Please choose another one.',
      ),
    ],
    [
      bridges === true && onPod && !context.config.bridgesPodNetwork,
      wrong('Bridge on pod network configuration is not enabled under kubevirt-config'),
    ],
    [
      passes === true && !context.config.isGateEnabled('PasstBinding'),
      wrong('PasstBinding feature gate is not enabled'),
    ],
    [passes === true && !onPod, wrong('PasstBinding interface only implemented with pod network')],
  )
}

const discontinued = {
  slirp: 'Slirp interface support',
  passt: 'Passt network binding',
  macvtap: 'Macvtap network binding',
}

/**
 * Refuses discontinued bindings in new objects. Existing objects keep them. The path is always that
 * of a VMI, even for a VM.
 */
export const discontinuedBindings: Rule = (context) =>
  parts.interfaces(context).flatMap((each, index) =>
    Object.entries(discontinued)
      .filter(([binding]) => each[binding] !== undefined)
      .map(([binding, what]) =>
        cause.wrong(
          `spec.domain.devices.interfaces[${index}].${binding}`,
          `${what} has been discontinued since v1.3`,
        ),
      ),
  )
