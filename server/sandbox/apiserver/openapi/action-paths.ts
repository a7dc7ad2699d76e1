import { actions, type Action, optionSchemas } from '../../kinds/kubevirt/actions.ts'
import { aggregatedGroup } from '../../kinds/kubevirt/aggregated.ts'
import { registry } from '../../kinds/registry.ts'
import { type JsonMap, isMap } from '../../objects/types.ts'
import { componentName, componentsOf, schemaJson } from './components.ts'
import { type Described, type Dialect } from './dialects.ts'

/** What virt-api does with machines and tells of them, from the table that it is routed by. */

const machine = registry.named('virtualmachines.kubevirt.io')

const optionsName = (name: string): string => `v1.${name}`

interface Place {
  version: string
  dialect: Dialect
}

export function describedActions(version: string, dialect: Dialect): Described {
  const place = { version, dialect }
  const options = Object.entries(optionSchemas).map(
    ([name, schema]) => [optionsName(name), schemaJson(schema, machine)] as const,
  )
  return {
    paths: {
      ...Object.fromEntries(
        Object.entries(actions).flatMap(([name, action]) =>
          placesOf(name).map((path) => entry(place, path, action)),
        ),
      ),
      ...ownPaths(place),
    },
    schemas: { ...Object.fromEntries(options), ...componentsOf(machine, dialect.prefix) },
  }
}

const root = ({ version }: Place): string => `/apis/${aggregatedGroup}/${version}`

/** A port is named behind the action, and maybe how to speak with it. */
function placesOf(name: string): string[] {
  const path = name.replace('/', '/{name}/')
  return name.endsWith('/portforward') ? [`${path}/{port}`, `${path}/{port}/{protocol}`] : [path]
}

const partWords: Readonly<Record<string, string>> = {
  namespace: 'Namespace that the object is in.',
  name: 'Name of the object.',
  port: 'Port of the guest.',
  protocol: 'tcp or udp.',
}

function entry(place: Place, path: string, action: Action): [path: string, item: JsonMap] {
  const whole = `${root(place)}/namespaces/{namespace}/${path}`
  const parts = [...whole.matchAll(/\{(\w+)\}/g)].map(([, part = '']) =>
    place.dialect.pathPart(part, partWords[part] ?? ''),
  )
  return [
    whole,
    { [action.method.toLowerCase()]: operation(place, path, action), parameters: parts },
  ]
}

/** A call without a body asks for nothing in particular. */
const isNeeded = (takes: keyof typeof optionSchemas): boolean =>
  optionSchemas[takes].required !== undefined

function operation(
  { version, dialect }: Place,
  path: string,
  { method, takes, gives }: Action,
): JsonMap {
  const { parameters = [], ...body } =
    takes === null ? {} : dialect.body(['application/json'], optionsName(takes), isNeeded(takes))
  return {
    tags: [aggregatedGroup],
    description: `${method} ${path}`,
    operationId: `${version}_${path.replaceAll(/\W+/g, '_')}`,
    parameters,
    ...body,
    responses: { ...answersOf(gives, path, dialect), '401': { description: 'Unauthorized' } },
  }
}

function answersOf(gives: Action['gives'], path: string, dialect: Dialect): JsonMap {
  if (gives === 'machine') return { '200': dialect.answer(componentName(machine)) }
  if (gives === 'picture')
    return { '200': dialect.plain(['image/png'], { type: 'string', format: 'binary' }) }
  if (gives === 'object') return { '200': dialect.plain(['application/json'], { type: 'object' }) }
  if (gives === 'stream') return { '101': { description: 'A WebSocket' } }
  // What is asked of a machine is noted and done later; what is asked of its instance is done.
  return path.startsWith('virtualmachines/')
    ? { '202': { description: 'Accepted' } }
    : { '200': { description: 'OK' } }
}

/** What is about no stored object. */
function ownPaths(place: Place): JsonMap {
  const tell: Action = { method: 'GET', takes: null, gives: 'object' }
  const told = ['version', 'healthz'].map(
    (name) => [`${root(place)}/${name}`, { get: operation(place, name, tell) }] as const,
  )
  const [path, item] = entry(place, 'expand-vm-spec', {
    method: 'PUT',
    takes: null,
    gives: 'machine',
  })
  const { parameters = [], ...body } = place.dialect.body(
    ['application/json'],
    componentName(machine),
  )
  const put = isMap(item.put) ? { ...item.put, ...body, parameters } : {}
  return { ...Object.fromEntries(told), [path]: { ...item, put } }
}
