import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { type Resource, resourceName } from '../../objects/resource.ts'
import { invalidOptions } from '../requests/options.ts'
import { podConditions } from './pods.ts'
import { type Column, common } from './column.ts'
import { customColumns } from './custom.ts'
import { coreColumns } from './core.ts'
import { platformColumns } from './platform.ts'
import { storageColumns } from './storage.ts'

/** Values of `includeObject`: the part of each object in its row. */
const included = ['None', 'Metadata', 'Object'] as const

export interface TableStyle {
  include: (typeof included)[number]
  /** Version of the Table and of the metadata in its rows. */
  version: 'v1' | 'v1beta1'
}

/** Returns the style of the table that a request asks for; throws an API error if it is invalid. */
export function tableStyle(query: URLSearchParams, version: TableStyle['version']): TableStyle {
  const includeObject = query.get('includeObject') ?? ''
  const include =
    includeObject === '' ? 'Metadata' : included.find((each) => each === includeObject)
  if (include) return { include, version }
  const message = `Invalid value: ${JSON.stringify(includeObject)}: must be 'Metadata', 'Object', 'None', or empty`
  throw invalidOptions('TableOptions', {
    reason: 'FieldValueInvalid',
    message,
    field: 'includeObject',
  })
}

/**
 * Renders objects as the table that `kubectl get` prints. Later events of a watch omit the column
 * definitions.
 */
export function tableOf(resource: Resource, { include, version }: TableStyle, metadata: JsonMap) {
  const columns = columnsOf(resource)
  const head: JsonMap = { kind: 'Table', apiVersion: `meta.k8s.io/${version}`, metadata }
  const rows = (objects: readonly KubeObject[]): JsonMap[] =>
    objects.map((object) => rowOf(resource, object))
  const rowOf = (row: Resource, object: KubeObject): JsonMap => {
    const conditions = resourceName(row) === 'pods' ? podConditions(object) : []
    return {
      cells: columns.map((column) => column.cell(object)),
      ...(conditions.length > 0 ? { conditions } : {}),
      object: partOf(object, { include, version }),
    }
  }
  return {
    withHead: (objects: readonly KubeObject[]): JsonMap => ({
      ...head,
      columnDefinitions: columns.map(definitionOf),
      rows: rows(objects),
    }),
    withoutHead: (objects: readonly KubeObject[]): JsonMap => ({
      ...head,
      columnDefinitions: null,
      rows: rows(objects),
    }),
  }
}

const definitionOf = ({ name, type, format, description, priority = 0 }: Column): JsonMap => ({
  name,
  type,
  format: format ?? '',
  description,
  priority,
})

function partOf(object: KubeObject, { include, version }: TableStyle): JsonMap | null {
  if (include === 'None') return null
  if (include === 'Object') return object
  return {
    kind: 'PartialObjectMetadata',
    apiVersion: `meta.k8s.io/${version}`,
    metadata: object.metadata,
  }
}

const builtInColumns: Readonly<Record<string, readonly Column[]>> = {
  ...coreColumns,
  ...storageColumns,
  ...platformColumns,
}

function columnsOf(resource: Resource): readonly Column[] {
  if (resource.custom) return customColumns(resource.columns)
  return builtInColumns[resourceName(resource)] ?? [common.name, common.created]
}
