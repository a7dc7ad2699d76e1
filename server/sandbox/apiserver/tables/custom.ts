import { type Json, type KubeObject } from '../types.ts'
import { type PrinterColumn } from '../resource.ts'
import { age } from './age.ts'
import { type Column, ageOf, creationText, nameColumn } from './column.ts'
import { atJsonPath } from './json-path.ts'

/** The columns of a kind that is served through a CRD. */
export function customColumns(declared: readonly PrinterColumn[] | undefined): readonly Column[] {
  if (!declared) return [nameColumn, { name: 'Age', type: 'date', description: creationText, cell: ageOf }]
  return [nameColumn, ...declared.map(columnOf)]
}

const columnOf = ({ name, type, path, description, priority }: PrinterColumn): Column => ({
  name,
  type,
  description: description ?? `Custom resource definition column (in JSONPath format): ${path}`,
  ...(priority === undefined ? {} : { priority }),
  cell: (object: KubeObject) => shown(type, atJsonPath(object, path)),
})

/** A value of another type than the column's is not shown, except that every value can be a text. */
function shown(type: PrinterColumn['type'], value: Json | undefined): Json {
  if (value === undefined || value === null) return null
  if (type === 'string') return typeof value === 'object' ? JSON.stringify(value) : String(value)
  if (type === 'date') return typeof value === 'string' ? dateOf(value) : null
  if (type === 'boolean') return typeof value === 'boolean' ? value : null
  if (typeof value !== 'number') return null
  return type === 'integer' ? Math.trunc(value) : value
}

const dateOf = (time: string): string => (Number.isNaN(Date.parse(time)) ? '<invalid>' : age(time))
