import { type Json, type KubeObject } from '../../objects/types.ts'
import { type PrinterColumn } from '../../objects/resource.ts'
import { age } from './age.ts'
import { type Column, common } from './column.ts'
import { atJsonPath } from './json-path.ts'

/**
 * Returns the columns that `kubectl get` prints for a kind that a CRD defines. The CRD may declare
 * them.
 */
export function customColumns(declared: readonly PrinterColumn[] | undefined): readonly Column[] {
  if (!declared) return [common.name, common.customAge]
  return [common.name, ...declared.map(columnOf)]
}

const columnOf = ({ name, type, path, description, priority }: PrinterColumn): Column => ({
  name,
  type,
  description: description ?? `Custom resource definition column (in JSONPath format): ${path}`,
  ...(priority === undefined ? {} : { priority }),
  cell: (object: KubeObject) => formatted(type, atJsonPath(object, path)),
})

/**
 * Formats the value of a column. A value of the wrong type is not shown, but every value can be a
 * string.
 */
function formatted(type: PrinterColumn['type'], value: Json | undefined): Json {
  if (value === undefined || value === null) return null
  return formatters[type](value)
}

const formatters: Readonly<Record<PrinterColumn['type'], (value: Json) => Json>> = {
  string: (value) => (typeof value === 'object' ? JSON.stringify(value) : String(value)),
  date: (value) => (typeof value === 'string' ? dateOf(value) : null),
  boolean: (value) => (typeof value === 'boolean' ? value : null),
  number: (value) => (typeof value === 'number' ? value : null),
  integer: (value) => (typeof value === 'number' ? Math.trunc(value) : null),
}

const dateOf = (time: string): string => (Number.isNaN(Date.parse(time)) ? '<invalid>' : age(time))
