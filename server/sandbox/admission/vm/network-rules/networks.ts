import { type Cause } from '../../../objects/cause.ts'
import { type JsonMap } from '../../../objects/types.ts'
import { read } from '../../../objects/read.ts'
import { cause } from '../../refusals.ts'
import { interfaceCauses } from './interfaces.ts'
import { type Asked, type Rule, found, parts } from '../rules/rule.ts'

/** Networks and the interfaces on them. */
export const networks: Rule = (asked) =>
  [...rules, interfaceNames, interfaceFields].flatMap((rule) => rule(asked))

const isDefault = ({ pod, multus }: JsonMap): boolean =>
  pod !== undefined || read.at(multus, 'default') === true

const rules: readonly Rule[] = [
  function singleDefault(asked) {
    const all = parts.networks(asked)
    const pods = all.filter(({ pod }) => pod !== undefined).length
    const defaults = all.filter(({ multus }) => read.at(multus, 'default') === true).length
    const list = `${asked.at}.networks`
    const interfaces = `${asked.at}.interfaces`
    return found(
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

  (asked) =>
    parts.networks(asked).flatMap(({ pod, multus, resourceClaim }, index) => {
      const types = [pod, multus, resourceClaim].filter((each) => each !== undefined).length
      const field = `${asked.at}.networks[${index}]`
      return found(
        [types === 0, cause.required(field, 'should have a network type')],
        [types > 1, cause.required(field, 'should have only one network type')],
      )
    }),

  function namedAttachment(asked) {
    const nameless = parts
      .networks(asked)
      .findIndex(
        ({ multus }) => multus !== undefined && read.text(read.at(multus, 'networkName')) === '',
      )
    const message = 'CNI delegating plugin must have a networkName'
    return nameless === -1 ? [] : [cause.required(`${asked.at}.networks[${nameless}]`, message)]
  },

  stateCauses,
  (asked) => parts.interfaces(asked).flatMap((each, index) => bindingCauses(asked, each, index)),

  (asked) =>
    repeatedIn(parts.networks(asked)).map(({ name, index }) =>
      cause.repeated(
        `${asked.at}.networks[${index}].name`,
        `Network with name ${JSON.stringify(name)} already exists, every network must have a unique name`,
      ),
    ),

  (asked) =>
    found([
      parts.networks(asked).some(({ resourceClaim }) => resourceClaim !== undefined) &&
        !asked.config.isOn('NetworkDevicesWithDRA'),
      cause.wrong(
        `${asked.at}.networks`,
        'vmi.spec.networks contains DRA networks but NetworkDevicesWithDRA feature gate is not enabled',
      ),
    ]),

  (asked) =>
    unmatched(parts.networks(asked), parts.interfaces(asked)).map(({ name, index }) => {
      const field = `${asked.at}.networks[${index}].name`
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

const unmatched = (list: readonly JsonMap[], others: readonly JsonMap[]): Named[] =>
  list.flatMap(({ name }, index) =>
    others.some((other) => other.name === name) ? [] : [{ name: read.text(name), index }],
  )

const interfaceNames: Rule = (asked) => {
  const field = (index: number): string => `${asked.at}.domain.devices.interfaces[${index}].name`
  const all = parts.interfaces(asked)
  return [
    ...repeatedIn(all).map(({ index }) =>
      cause.repeated(field(index), 'Only one interface can be connected to one specific network'),
    ),
    ...unmatched(all, parts.networks(asked)).map(({ name, index }) =>
      cause.wrong(field(index), `${field(index)} '${name}' not found.`),
    ),
  ]
}

const interfaceFields: Rule = (asked) =>
  parts.interfaces(asked).flatMap((_each, index) => interfaceCauses(asked, index))

function stateCauses(asked: Asked): Cause[] {
  const primary = parts.networks(asked).find(isDefault)
  return parts.interfaces(asked).flatMap(({ name, state, sriov, bridge }, index) => {
    const field = `${asked.at}.domain.devices.interfaces[${index}].state`
    const [who, what] = [read.text(name), read.text(state)]
    const about = `${JSON.stringify(who)} interface's state ${JSON.stringify(what)} is`
    const isAbsent = what === 'absent'
    return found(
      [
        !['', 'absent', 'down', 'up'].includes(what),
        cause.wrong(field, `logical ${who} interface state value is unsupported: ${what}`),
      ],
      [
        sriov !== undefined && ['down', 'up'].includes(what),
        cause.wrong(field, `${about} not supported for SR-IOV NICs`),
      ],
      [
        isAbsent && bridge === undefined,
        cause.wrong(field, `${about} supported only for bridge binding`),
      ],
      [
        isAbsent && primary?.name === name,
        cause.wrong(field, `${about} not supported on default networks`),
      ],
    )
  })
}

const bindings = ['bridge', 'masquerade', 'sriov', 'passtBinding', 'binding']
const reservedMac = '02:00:00:00:00:00'

function bindingCauses(asked: Asked, each: JsonMap, index: number): Cause[] {
  const at = `${asked.at}.domain.devices.interfaces[${index}]`
  const onPod = parts
    .networks(asked)
    .some(({ name, pod }) => name === each.name && pod !== undefined)
  const [masquerades, bridges, passes] = ['masquerade', 'bridge', 'passtBinding'].map(
    (binding) => each[binding] !== undefined,
  )
  const wrong = (message: string): Cause => cause.wrong(`${at}.name`, message)
  return found(
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
      bridges === true && onPod && !asked.config.bridgesPodNetwork,
      wrong('Bridge on pod network configuration is not enabled under kubevirt-config'),
    ],
    [
      passes === true && !asked.config.isOn('PasstBinding'),
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
 * Bindings of old, refused for what is new; what has them may go on. The path is the instance's,
 * wherever it stands.
 */
export const discontinuedBindings: Rule = (asked) =>
  parts.interfaces(asked).flatMap((each, index) =>
    Object.entries(discontinued)
      .filter(([binding]) => each[binding] !== undefined)
      .map(([binding, what]) =>
        cause.wrong(
          `spec.domain.devices.interfaces[${index}].${binding}`,
          `${what} has been discontinued since v1.3`,
        ),
      ),
  )
