import { actions, type Action, optionSchemas } from '../../kinds/kubevirt/actions.ts'
import { aggregatedGroup } from '../../kinds/kubevirt/aggregated.ts'
import { registry } from '../../kinds/registry.ts'
import { type JsonMap, isMap } from '../../objects/types.ts'
import { componentName, componentsOf, schemaJson } from './components.ts'
import { type DocumentPart, type Dialect } from './dialects.ts'

/** Describes the subresources that virt-api serves, from the table that also routes them. */

const vmResource = registry.named('virtualmachines.kubevirt.io')

const optionsName = (name: string): string => `v1.${name}`

interface Context {
  version: string
  dialect: Dialect
}

export function describeActions(version: string, dialect: Dialect): DocumentPart {
  const context = { version, dialect }
  const options = Object.entries(optionSchemas).map(
    ([name, schema]) => [optionsName(name), schemaJson(schema, vmResource)] as const,
  )
  return {
    paths: {
      ...Object.fromEntries(
        Object.entries(actions).flatMap(([name, action]) =>
          actionPathsOf(name).map((path) => entry(context, path, action)),
        ),
      ),
      ...ownPaths(context),
    },
    schemas: { ...Object.fromEntries(options), ...componentsOf(vmResource, dialect.prefix) },
  }
}

const root = ({ version }: Context): string => `/apis/${aggregatedGroup}/${version}`

/**
 * Returns the paths of an action. A port forward has the port after the action, and optionally the
 * protocol.
 */
function actionPathsOf(name: string): string[] {
  const path = name.replace('/', '/{name}/')
  return name.endsWith('/portforward') ? [`${path}/{port}`, `${path}/{port}/{protocol}`] : [path]
}

const parameterDescriptions: Readonly<Record<string, string>> = {
  namespace: 'Namespace of the object.',
  name: 'Name of the object.',
  port: 'Port of the guest.',
  protocol: 'tcp or udp.',
}

function entry(context: Context, path: string, action: Action): [path: string, item: JsonMap] {
  const whole = `${root(context)}/namespaces/{namespace}/${path}`
  const parts = [...whole.matchAll(/\{(\w+)\}/g)].map(([, part = '']) =>
    context.dialect.pathPart(part, parameterDescriptions[part] ?? ''),
  )
  return [
    whole,
    { [action.method.toLowerCase()]: operation(context, path, action), parameters: parts },
  ]
}

/** True when the action requires a body. An empty body means the default options. */
const requiresBody = (takes: keyof typeof optionSchemas): boolean =>
  optionSchemas[takes].required !== undefined

function operation(
  { version, dialect }: Context,
  path: string,
  { method, options: takes, response: gives }: Action,
): JsonMap {
  const { parameters = [], ...body } =
    takes === null
      ? {}
      : dialect.body(['application/json'], optionsName(takes), requiresBody(takes))
  return {
    tags: [aggregatedGroup],
    description: `${method} ${path}`,
    operationId: `${version}_${path.replaceAll(/\W+/g, '_')}`,
    parameters,
    ...body,
    responses: { ...answersOf(gives, path, dialect), '401': { description: 'Unauthorized' } },
  }
}

function answersOf(gives: Action['response'], path: string, dialect: Dialect): JsonMap {
  if (gives === 'machine') return { '200': dialect.answer(componentName(vmResource)) }
  if (gives === 'picture')
    return { '200': dialect.plain(['image/png'], { type: 'string', format: 'binary' }) }
  if (gives === 'object') return { '200': dialect.plain(['application/json'], { type: 'object' }) }
  if (gives === 'stream') return { '101': { description: 'A WebSocket' } }
  // An action on a VM is accepted and runs later; an action on a VMI has finished.
  return path.startsWith('virtualmachines/')
    ? { '202': { description: 'Accepted' } }
    : { '200': { description: 'OK' } }
}

/** Paths that do not belong to a stored object. */
function ownPaths(context: Context): JsonMap {
  const informationAction: Action = { method: 'GET', options: null, response: 'object' }
  const informational = ['version', 'healthz'].map(
    (name) =>
      [`${root(context)}/${name}`, { get: operation(context, name, informationAction) }] as const,
  )
  const [path, item] = entry(context, 'expand-vm-spec', {
    method: 'PUT',
    options: null,
    response: 'machine',
  })
  const { parameters = [], ...body } = context.dialect.body(
    ['application/json'],
    componentName(vmResource),
  )
  const put = isMap(item.put) ? { ...item.put, ...body, parameters } : {}
  return { ...Object.fromEntries(informational), [path]: { ...item, put } }
}
