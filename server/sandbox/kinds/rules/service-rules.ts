import { type Json, type JsonMap, isMap } from '../../objects/types.ts'
import { type Cause } from '../../objects/cause.ts'
import { type KindHooks } from '../../objects/resource.ts'
import { admitService } from '../../admission/services.ts'
import {
  anything,
  atomic,
  atomicTexts,
  each,
  flag,
  int,
  intOrText,
  listBy,
  object,
  structOf,
  text,
  textMap,
} from '../../objects/schema.ts'

const port = object({
  ...each(text, 'appProtocol', 'name', 'protocol'),
  ...each(int, 'nodePort', 'port'),
  targetPort: intOrText,
})

export const serviceSchema = object({
  spec: object({
    ...each(
      text,
      'clusterIP',
      'externalName',
      'externalTrafficPolicy',
      'internalTrafficPolicy',
      'ipFamilyPolicy',
    ),
    ...each(
      text,
      'loadBalancerClass',
      'loadBalancerIP',
      'sessionAffinity',
      'trafficDistribution',
      'type',
    ),
    ...each(atomicTexts, 'clusterIPs', 'externalIPs', 'ipFamilies', 'loadBalancerSourceRanges'),
    ...each(flag, 'allocateLoadBalancerNodePorts', 'publishNotReadyAddresses'),
    healthCheckNodePort: int,
    ports: listBy(['port', 'protocol'], port),
    selector: atomic(textMap),
    sessionAffinityConfig: object({ clientIP: structOf(int, 'timeoutSeconds') }),
  }),
  status: anything,
})

const types = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort']

/** The API server's own rules for a Service. Controllers find its endpoints. */
export const serviceHooks: KindHooks = {
  onCreate: (service) => ({ ...service, status: { loadBalancer: {} } }),
  normalise: (service) => ({ ...service, spec: withDefaults(mapOf(service.spec)) }),
  admit: admitService,
  validate: ({ spec }) => causesIn(mapOf(spec)),
}

const mapOf = (value: Json | undefined): JsonMap => (isMap(value) ? value : {})
const portsOf = (spec: JsonMap): JsonMap[] =>
  Array.isArray(spec.ports) ? spec.ports.map(mapOf) : []

function withDefaults(spec: JsonMap): JsonMap {
  const { type = 'ClusterIP' } = spec
  const isOpen = type === 'NodePort' || type === 'LoadBalancer'
  return {
    sessionAffinity: 'None',
    ...(type === 'ExternalName' ? {} : { internalTrafficPolicy: 'Cluster' }),
    ...(isOpen ? { externalTrafficPolicy: 'Cluster' } : {}),
    ...spec,
    type,
    ...(spec.ports === undefined ? {} : { ports: portsOf(spec).map(withPortDefaults) }),
  }
}

const withPortDefaults = ({ targetPort, ...port }: JsonMap): JsonMap => ({
  protocol: 'TCP',
  ...port,
  targetPort:
    targetPort === undefined || targetPort === 0 || targetPort === ''
      ? (port.port ?? 0)
      : targetPort,
})

function causesIn(spec: JsonMap): Cause[] {
  const ports = portsOf(spec)
  const isKnown = types.includes(String(spec.type))
  const unknown = {
    reason: 'FieldValueNotSupported',
    field: 'spec.type',
    message: `Unsupported value: ${JSON.stringify(spec.type)}`,
  }
  const needsPorts = spec.type !== 'ExternalName' && spec.clusterIP !== 'None' && ports.length === 0
  return [
    ...(isKnown
      ? []
      : [
          {
            ...unknown,
            message: `${unknown.message}: supported values: ${types.map((each) => `"${each}"`).join(', ')}`,
          },
        ]),
    ...(needsPorts
      ? [{ reason: 'FieldValueRequired', field: 'spec.ports', message: 'Required value' }]
      : []),
    ...ports.flatMap((each, index) => portCauses(spec, each, `spec.ports[${index}]`)),
  ]
}

const lastPort = 65_535

function portCauses(spec: JsonMap, { name, port, nodePort }: JsonMap, field: string): Cause[] {
  const isOutside = Number(port) < 1 || Number(port) > lastPort
  const range = `Invalid value: ${JSON.stringify(port)}: must be between 1 and ${lastPort}, inclusive`
  const isNameless = portsOf(spec).length > 1 && (name ?? '') === ''
  const isOpen = spec.type === 'NodePort' || spec.type === 'LoadBalancer'
  const notOpen = `Forbidden: may not be used when \`type\` is '${String(spec.type)}'`
  return [
    ...(isNameless
      ? [{ reason: 'FieldValueRequired', field: `${field}.name`, message: 'Required value' }]
      : []),
    ...(isOutside ? [{ reason: 'FieldValueInvalid', field: `${field}.port`, message: range }] : []),
    ...(!isOpen && Number(nodePort ?? 0) !== 0
      ? [{ reason: 'FieldValueForbidden', field: `${field}.nodePort`, message: notOpen }]
      : []),
  ]
}
