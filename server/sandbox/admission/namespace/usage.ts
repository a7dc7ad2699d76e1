import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { type Resource, resourceName } from '../../objects/resource.ts'
import { read } from '../../objects/read.ts'
import { type Amount, amountOf, count, plus } from './amount.ts'

/** Amounts by the name under which a quota limits them. */
export type Usage = Record<string, Amount>

/** Kinds that a quota can limit by their plain name as well as by `count/…`. */
const counted = [
  'pods',
  'services',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'replicationcontrollers',
  'resourcequotas',
]

/** Returns the amounts that an object takes from the quotas of its namespace. */
export function usageOf(resource: Pick<Resource, 'group' | 'plural'>, object: KubeObject): Usage {
  const name = resourceName(resource)
  if (name === 'pods' && isOver(object)) return { 'count/pods': count(1) }
  const own = counted.includes(name) ? { [name]: count(1) } : {}
  return { [`count/${name}`]: count(1), ...own, ...details[name]?.(object) }
}

const isOver = (pod: KubeObject): boolean =>
  ['Succeeded', 'Failed'].includes(read.text(read.status(pod).phase))

const details: Readonly<Record<string, (object: KubeObject) => Usage>> = {
  pods: (pod) => podUsage(read.spec(pod)),
  persistentvolumeclaims: claimUsage,
  services(service) {
    const type = read.text(read.spec(service).type)
    const ports = read.maps(read.spec(service).ports).length
    return {
      ...(type === 'LoadBalancer' ? { 'services.loadbalancers': count(1) } : {}),
      ...(type === 'LoadBalancer' || type === 'NodePort'
        ? { 'services.nodeports': count(ports) }
        : {}),
    }
  },
}

function claimUsage(object: KubeObject): Usage {
  const storage = amountOf(read.at(object, 'spec', 'resources', 'requests', 'storage')) ?? count(0)
  const className = read.text(read.spec(object).storageClassName)
  const ofClass = `${className}.storageclass.storage.k8s.io`
  return {
    'requests.storage': storage,
    ...(className === ''
      ? {}
      : {
          [`${ofClass}/requests.storage`]: storage,
          [`${ofClass}/persistentvolumeclaims`]: count(1),
        }),
  }
}

const bare = ['cpu', 'memory', 'ephemeral-storage']

/** The sum of the containers, or the largest init container when that is more. */
function podUsage(spec: JsonMap): Usage {
  const usage: Usage = {}
  for (const side of ['requests', 'limits'] as const) {
    for (const [name, amount] of Object.entries(effective(spec, side))) {
      usage[`${side}.${name}`] = amount
      if (side === 'requests' && bare.includes(name)) usage[name] = amount
    }
  }
  return usage
}

function effective(spec: JsonMap, side: 'limits' | 'requests'): Usage {
  const early = read.maps(spec.initContainers)
  const staying = early.filter(({ restartPolicy }) => restartPolicy === 'Always')
  const together = [...read.maps(spec.containers), ...staying].reduce<Usage>(
    (all, each) => added(all, amountsOf(each, side)),
    {},
  )
  const largest = early.reduce<Usage>((all, each) => larger(all, amountsOf(each, side)), together)
  return side === 'requests' ? added(largest, amounts(read.map(spec.overhead))) : largest
}

/** The limits, or the requests, where a limit without a request counts as the request. */
export function amountsOf(container: JsonMap, side: 'limits' | 'requests'): Usage {
  const { limits, requests } = read.map(container.resources)
  return side === 'limits'
    ? amounts(read.map(limits))
    : { ...amounts(read.map(limits)), ...amounts(read.map(requests)) }
}

const amounts = (map: JsonMap): Usage =>
  Object.fromEntries(
    Object.entries(map).flatMap(([name, quantity]) => {
      const amount = amountOf(quantity)
      return amount ? [[name, amount] as const] : []
    }),
  )

export const added = (all: Usage, more: Usage): Usage => ({
  ...all,
  ...Object.fromEntries(
    Object.entries(more).map(([name, amount]) => [name, plus(all[name], amount)]),
  ),
})

const larger = (all: Usage, more: Usage): Usage => ({
  ...all,
  ...Object.fromEntries(
    Object.entries(more).filter(([name, { value }]) => value > (all[name]?.value ?? 0)),
  ),
})
