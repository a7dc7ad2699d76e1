import { cidrCauses, endpointCauses, ipCauses } from '../../objects/addresses.ts'
import { type Cause, causes, choice, problems, repetitions } from '../../objects/cause.ts'
import { formats } from '../../objects/formats.ts'
import { read } from '../../objects/read.ts'
import { type KindHooks } from '../../objects/resource.ts'
import { labelCauses } from '../../objects/selector-causes.ts'
import { type JsonMap } from '../../objects/types.ts'
import { admitService } from '../../admission/services.ts'
import {
  anything,
  atomic,
  atomicTexts,
  each,
  flag,
  int,
  intOrText,
  pointer,
  listBy,
  object,
  structOf,
  text,
  textMap,
  written,
} from '../../objects/schema.ts'

const port = object({
  appProtocol: pointer(text),
  ...each(text, 'name', 'protocol'),
  nodePort: int,
  port: written(int),
  targetPort: intOrText,
})

export const serviceSchema = object({
  spec: written(
    object({
      ...each(text, 'clusterIP', 'externalName', 'externalTrafficPolicy'),
      ...each(pointer(text), 'internalTrafficPolicy', 'ipFamilyPolicy'),
      ...each(text, 'loadBalancerIP', 'sessionAffinity', 'type'),
      ...each(pointer(text), 'loadBalancerClass', 'trafficDistribution'),
      ...each(atomicTexts, 'clusterIPs', 'externalIPs', 'ipFamilies', 'loadBalancerSourceRanges'),
      allocateLoadBalancerNodePorts: pointer(flag),
      publishNotReadyAddresses: flag,
      healthCheckNodePort: int,
      ports: { ...listBy(['port', 'protocol'], port), keyDefaults: { protocol: 'TCP' } },
      selector: atomic(textMap),
      sessionAffinityConfig: object({ clientIP: structOf(pointer(int), 'timeoutSeconds') }),
    }),
  ),
  status: anything,
})

const types = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort']
const protocols = ['SCTP', 'TCP', 'UDP']
const policies = ['Cluster', 'Local']
const distributions = ['PreferClose', 'PreferSameZone', 'PreferSameNode']
const families = ['IPv4', 'IPv6']
const familyPolicies = ['PreferDualStack', 'RequireDualStack', 'SingleStack']

/** The API server's own rules for a Service. Controllers find its endpoints. */
export const serviceHooks: KindHooks = {
  onCreate: (service) => ({ ...service, status: { loadBalancer: {} } }),
  normalise: (service) => ({ ...service, spec: withDefaults(read.spec(service)) }),
  admit: admitService,
  validate: ({ spec }, old) => [
    ...typeCauses(read.map(spec)),
    ...portsCauses(read.map(spec)),
    ...fieldCauses(read.map(spec)),
    ...(old ? changeCauses(read.map(spec), read.spec(old)) : []),
  ],
}

const isOpen = ({ type }: JsonMap): boolean => type === 'NodePort' || type === 'LoadBalancer'

function withDefaults(spec: JsonMap): JsonMap {
  const { type = 'ClusterIP', sessionAffinity = 'None', sessionAffinityConfig, ...rest } = spec
  const affinity =
    sessionAffinity === 'ClientIP' ? (sessionAffinityConfig ?? defaultAffinity) : null
  const isBalanced = type === 'LoadBalancer'
  return {
    ...(type === 'ExternalName' ? {} : { internalTrafficPolicy: 'Cluster' }),
    ...(isOpen({ type }) ? { externalTrafficPolicy: 'Cluster' } : {}),
    ...(isBalanced ? { allocateLoadBalancerNodePorts: true } : {}),
    ...rest,
    ...(affinity === null ? {} : { sessionAffinityConfig: affinity }),
    type,
    sessionAffinity,
    ...(spec.ports === undefined ? {} : { ports: read.maps(spec.ports).map(withPortDefaults) }),
  }
}

const defaultAffinity = { clientIP: { timeoutSeconds: 10_800 } }

const withPortDefaults = ({ targetPort, ...port }: JsonMap): JsonMap => ({
  protocol: 'TCP',
  ...port,
  targetPort:
    targetPort === undefined || targetPort === 0 || targetPort === ''
      ? (port.port ?? 0)
      : targetPort,
})

const noAddress = 'may not be set for ExternalName services'

function typeCauses(spec: JsonMap): Cause[] {
  const { type, clusterIP, externalName } = spec
  const isHeadless = clusterIP === 'None'
  if (type === 'ExternalName') {
    const fixed =
      (spec.clusterIP ?? '') === '' ? [] : [causes.forbidden('spec.clusterIPs', noAddress)]
    const name = read.text(externalName).replace(/\.$/, '')
    return [
      ...fixed,
      ...(name === ''
        ? [causes.required('spec.externalName')]
        : problems('spec.externalName', name, formats.subdomain(name))),
    ]
  }
  const why = `may not be set to 'None' for ${String(type)} services`
  return [
    ...(read.maps(spec.ports).length === 0 && !isHeadless ? [causes.required('spec.ports')] : []),
    ...(isOpen(spec) && isHeadless ? [causes.invalid('spec.clusterIPs[0]', clusterIP, why)] : []),
    ...choice('spec.type', type, types),
    ...(isHeadless ? [] : ipCauses('spec.clusterIPs[0]', read.text(clusterIP))),
  ]
}

function portsCauses(spec: JsonMap): Cause[] {
  const ports = read.maps(spec.ports)
  const names = ports.map(({ name }) => name)
  const fieldAt = (index: number): string => `spec.ports[${index}]`
  const numberOf = ({ port, protocol }: JsonMap): string => `${protocol} ${port}`
  return [
    ...ports.flatMap((port, index) => portCauses(port, fieldAt(index), ports.length > 1)),
    ...repetitions(names, (index) => `${fieldAt(index)}.name`),
    ...(spec.type === 'ClusterIP' ? ports.flatMap(nodePortCauses) : []),
    ...repetitions(ports.map(numberOf), fieldAt).map(({ field }) =>
      causes.duplicate(field, shownPort(ports[Number(/\d+/.exec(field)?.[0])] ?? {})),
    ),
  ]
}

/** The port as the API server prints it, with the fields of the Go type. */
const shownPort = ({ port, protocol }: JsonMap): JsonMap => ({
  Name: '',
  Protocol: protocol,
  AppProtocol: null,
  Port: port,
  TargetPort: 0,
  NodePort: 0,
})

const nodePortCauses = ({ nodePort }: JsonMap, index: number): Cause[] =>
  nodePort === undefined
    ? []
    : [
        causes.forbidden(
          `spec.ports[${index}].nodePort`,
          "may not be used when `type` is 'ClusterIP'",
        ),
      ]

function portCauses(port: JsonMap, field: string, needsName: boolean): Cause[] {
  const { name, port: number, protocol, targetPort, appProtocol } = port
  return [
    ...(needsName && name === undefined ? [causes.required(`${field}.name`)] : []),
    ...(name === undefined ? [] : problems(`${field}.name`, name, formats.label(String(name)))),
    ...problems(`${field}.port`, number, formats.port(Number(number))),
    ...choice(`${field}.protocol`, protocol, protocols),
    ...problems(
      `${field}.targetPort`,
      targetPort,
      typeof targetPort === 'string'
        ? formats.portName(targetPort)
        : formats.port(Number(targetPort)),
    ),
    ...(appProtocol === undefined
      ? []
      : problems(`${field}.appProtocol`, appProtocol, formats.qualifiedName(String(appProtocol)))),
  ]
}

const balancedOnly = "may only be used when `type` is 'LoadBalancer'"

const fieldCauses = (spec: JsonMap): Cause[] => [
  ...labelCauses('spec.selector', read.map(spec.selector)),
  ...affinityCauses(spec),
  ...externalCauses(read.texts(spec.externalIPs)),
  ...balancerCauses(spec),
  ...trafficCauses(spec),
  ...choices.flatMap(({ name, supported }) =>
    spec[name] === undefined ? [] : choice(`spec.${name}`, spec[name], supported),
  ),
  ...read
    .texts(spec.ipFamilies)
    .flatMap((family, index) => choice(`spec.ipFamilies[${index}]`, family, families)),
]

const externalCauses = (addresses: readonly string[]): Cause[] =>
  addresses.flatMap((address, index) => {
    const field = `spec.externalIPs[${index}]`
    const wrong = ipCauses(field, address)
    return wrong.length > 0 ? wrong : endpointCauses(field, address)
  })

/** Fields that only a LoadBalancer has. */
function balancerCauses(spec: JsonMap): Cause[] {
  const isBalanced = spec.type === 'LoadBalancer'
  const ranges = read.texts(spec.loadBalancerSourceRanges)
  const field = 'spec.LoadBalancerSourceRanges'
  return [
    ...(ranges.length > 0 && !isBalanced ? [causes.forbidden(field, balancedOnly)] : []),
    ...ranges.flatMap((each, index) => cidrCauses(`${field}[${index}]`, each.trim())),
    ...['allocateLoadBalancerNodePorts', 'loadBalancerClass']
      .filter((name) => spec[name] !== undefined && !isBalanced)
      .map((name) => causes.forbidden(`spec.${name}`, balancedOnly)),
  ]
}

const choices = [
  { name: 'internalTrafficPolicy', supported: policies },
  { name: 'ipFamilyPolicy', supported: familyPolicies },
  { name: 'trafficDistribution', supported: distributions },
] as const

const openOnly = 'may only be set for externally-accessible services'

function trafficCauses(spec: JsonMap): Cause[] {
  const { externalTrafficPolicy, healthCheckNodePort } = spec
  const isReachable = isOpen(spec) || read.texts(spec.externalIPs).length > 0
  const field = 'spec.externalTrafficPolicy'
  const wrong = isReachable
    ? choice(field, externalTrafficPolicy ?? 'Cluster', policies)
    : [causes.invalid(field, externalTrafficPolicy, openOnly)]
  return [
    ...(externalTrafficPolicy === undefined ? [] : wrong),
    ...(needsHealthCheck(spec) || healthCheckNodePort === undefined
      ? []
      : [causes.invalid('spec.healthCheckNodePort', healthCheckNodePort, noHealthCheck)]),
  ]
}

const noHealthCheck =
  "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'"

const needsHealthCheck = ({ type, externalTrafficPolicy }: JsonMap): boolean =>
  type === 'LoadBalancer' && externalTrafficPolicy === 'Local'

const maxAffinitySeconds = 86_400

function affinityCauses({ sessionAffinity, sessionAffinityConfig }: JsonMap): Cause[] {
  const field = 'spec.sessionAffinityConfig'
  const wrong = choice('spec.sessionAffinity', sessionAffinity, ['ClientIP', 'None'])
  if (wrong.length > 0 || sessionAffinityConfig === undefined) return wrong
  const seconds = read.at(sessionAffinityConfig, 'clientIP', 'timeoutSeconds')
  return Number(seconds) > 0 && Number(seconds) <= maxAffinitySeconds
    ? []
    : [
        causes.invalid(
          `${field}.clientIP.timeoutSeconds`,
          seconds,
          `must be greater than 0 and less than ${maxAffinitySeconds}`,
        ),
      ]
}

/** A Service keeps its cluster IP until it becomes an ExternalName. */
function changeCauses({ type, clusterIP }: JsonMap, old: JsonMap): Cause[] {
  const before = read.text(old.clusterIP)
  if (before === '' || type === 'ExternalName' || clusterIP === before) return []
  return [causes.invalid('spec.clusterIPs[0]', [read.text(clusterIP)], 'may not change once set')]
}
