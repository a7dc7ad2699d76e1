import { cidrCauses, isStrictSubset } from '../../objects/addresses.ts'
import { type Cause, causes, choice, problems } from '../../objects/cause.ts'
import { formats } from '../../objects/formats.ts'
import { read } from '../../objects/read.ts'
import { type KindHooks } from '../../objects/resource.ts'
import { selectorCauses } from '../../objects/selector-causes.ts'
import { type Json, type JsonMap } from '../../objects/types.ts'

const directions = [
  { type: 'Ingress', rules: 'ingress', peers: 'from' },
  { type: 'Egress', rules: 'egress', peers: 'to' },
] as const

/** The API server's own rules for a NetworkPolicy. The sandbox routes no traffic by it. */
export const networkPolicyHooks: KindHooks = {
  normalise: (policy) => ({ ...policy, spec: withDefaults(read.spec(policy)) }),
  validate: ({ spec }) => specCauses(read.map(spec)),
}

function withDefaults(spec: JsonMap): JsonMap {
  const rules = Object.fromEntries(
    directions.flatMap(({ rules: name }) =>
      spec[name] === undefined ? [] : [[name, read.maps(spec[name]).map(withProtocols)]],
    ),
  )
  const hasEgress = read.maps(spec.egress).length > 0
  return { ...spec, ...rules, policyTypes: spec.policyTypes ?? typesFor(hasEgress) }
}

const typesFor = (hasEgress: boolean): string[] => (hasEgress ? ['Ingress', 'Egress'] : ['Ingress'])

const withProtocols = (rule: JsonMap): JsonMap =>
  rule.ports === undefined
    ? rule
    : { ...rule, ports: read.maps(rule.ports).map((port) => ({ protocol: 'TCP', ...port })) }

function specCauses(spec: JsonMap): Cause[] {
  const rules = directions.flatMap(({ rules: name, peers }) =>
    read.maps(spec[name]).flatMap((rule, index) => {
      const field = `spec.${name}[${index}]`
      return [
        ...each(rule.ports, `${field}.ports`, portCauses),
        ...each(rule[peers], `${field}.${peers}`, peerCauses),
      ]
    }),
  )
  return [
    ...selectorCauses('spec.podSelector', spec.podSelector),
    ...rules,
    ...typeCauses(read.texts(spec.policyTypes)),
  ]
}

const each = (
  list: Json | undefined,
  field: string,
  check: (item: JsonMap, field: string) => Cause[],
): Cause[] => read.maps(list).flatMap((item, index) => check(item, `${field}[${index}]`))

function typeCauses(types: readonly string[]): Cause[] {
  const field = 'spec.policyTypes'
  if (types.length > 2)
    return [causes.invalid(field, [...types], 'may not specify more than two policyTypes')]
  return types.flatMap((type, index) => choice(`${field}[${index}]`, type, ['Ingress', 'Egress']))
}

function portCauses({ protocol, port, endPort }: JsonMap, field: string): Cause[] {
  const end = (why: string): Cause[] =>
    endPort === undefined ? [] : [causes.invalid(`${field}.endPort`, endPort, why)]
  const protocols = choice(`${field}.protocol`, protocol, ['TCP', 'UDP', 'SCTP'])
  if (port === undefined)
    return [...protocols, ...end('may not be specified when `port` is not specified')]
  if (typeof port === 'string')
    return [
      ...protocols,
      ...end('may not be specified when `port` is non-numeric'),
      ...problems(`${field}.port`, port, formats.portName(port)),
    ]
  const isBelow = endPort !== undefined && Number(endPort) < Number(port)
  return [
    ...protocols,
    ...problems(`${field}.port`, port, formats.port(Number(port))),
    ...(isBelow
      ? [causes.invalid(`${field}.endPort`, port, 'must be greater than or equal to `port`')]
      : []),
    ...(endPort === undefined
      ? []
      : problems(`${field}.endPort`, endPort, formats.port(Number(endPort)))),
  ]
}

function peerCauses({ podSelector, namespaceSelector, ipBlock }: JsonMap, field: string): Cause[] {
  const hasSelector = podSelector !== undefined || namespaceSelector !== undefined
  const count =
    ipBlock === undefined && !hasSelector ? [causes.required(field, 'must specify a peer')] : []
  return [
    ...selectorCauses(`${field}.podSelector`, podSelector),
    ...selectorCauses(`${field}.namespaceSelector`, namespaceSelector),
    ...(ipBlock === undefined ? [] : blockCauses(read.map(ipBlock), `${field}.ipBlock`)),
    ...count,
    ...(ipBlock !== undefined && hasSelector
      ? [causes.forbidden(field, 'may not specify both ipBlock and another peer')]
      : []),
  ]
}

function blockCauses({ cidr, except }: JsonMap, field: string): Cause[] {
  const whole = read.text(cidr)
  if (whole === '') return [causes.required(`${field}.cidr`)]
  const wrong = cidrCauses(`${field}.cidr`, whole)
  if (wrong.length > 0) return wrong
  return read.texts(except).flatMap((part, index) => {
    const at = `${field}.except[${index}]`
    const broken = cidrCauses(at, part)
    if (broken.length > 0 || isStrictSubset(part, whole)) return broken
    return [causes.invalid(at, part, 'must be a strict subset of `cidr`')]
  })
}
