import { type Json, type KubeObject } from '../../objects/types.ts'
import { age } from './age.ts'
import { dig } from '../../objects/dig.ts'

/** A column of the table that `kubectl get` shows for a kind. */
export interface Column {
  name: string
  type: 'string' | 'integer' | 'number' | 'boolean' | 'date'
  format?: 'name'
  description: string
  /** kubectl shows columns above 0 only with `-o wide`. */
  priority?: number
  cell(object: KubeObject): Json
}

const nameText =
  'Name must be unique within a namespace. Is required when creating resources, although some resources may allow a client to request the generation of an appropriate name automatically. Name is primarily intended for creation idempotence and configuration definition. Cannot be updated. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names'

const creationText =
  'CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata'

const name: Column = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: nameText,
  cell: (object) => dig.text(object, 'metadata.name'),
}

const ageOf = ({ metadata }: KubeObject): string => age(metadata.creationTimestamp ?? '')

const ageColumn: Column = { name: 'Age', type: 'string', description: creationText, cell: ageOf }

/**
 * The column of built-in kinds without a printer. It shows the creation time instead of the age.
 */
const created: Column = {
  name: 'Created At',
  type: 'date',
  description: creationText,
  cell: ({ metadata }) => metadata.creationTimestamp ?? null,
}

type Cell = Column['cell']

export const text = (title: string, description: string, cell: Cell): Column => ({
  name: title,
  type: 'string',
  description,
  cell,
})

export const integer = (title: string, description: string, cell: Cell): Column => ({
  ...text(title, description, cell),
  type: 'integer',
})

export const flag = (title: string, description: string, cell: Cell): Column => ({
  ...text(title, description, cell),
  type: 'boolean',
})

export const wide = (column: Column): Column => ({ ...column, priority: 1 })

/** The age column of CRDs without columns has the type date. */
const customAge: Column = { ...ageColumn, type: 'date' }

/** Columns that many kinds share. */
export const common = { name, age: ageColumn, created, customAge }
