import { type Json, type JsonMap, type KubeObject } from './types.ts'
import { type Identity } from './identity.ts'
import { type Cause } from './cause.ts'

/**
 * An OpenAPI v3 structural schema, as custom kinds declare it. Built-in kinds use the part that
 * pruning, type checks and server-side apply need.
 */
export interface Schema {
  type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean'
  properties?: Readonly<Record<string, Schema>>
  additionalProperties?: Schema
  items?: Schema
  required?: readonly string[]
  enum?: readonly string[]
  pattern?: string
  format?: 'int32' | 'int64' | 'date-time'
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  default?: Json
  nullable?: boolean
  rules?: readonly SchemaRule[]
  'x-kubernetes-preserve-unknown-fields'?: boolean
  'x-kubernetes-int-or-string'?: boolean
  'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map'
  'x-kubernetes-list-map-keys'?: readonly string[]
  'x-kubernetes-map-type'?: 'atomic' | 'granular'
}

/**
 * What a CRD says in CEL. A transition compares with the old value and is skipped where there is
 * none.
 */
export type SchemaRule = { message: string } & (
  { holds: (self: Json) => boolean } | { holdsAfter: (self: Json, old: Json) => boolean }
)

/** Another version of a kind, and what its users are warned of. */
export interface Alias {
  version: string
  warning?: string
  /** The group that tells of the kind, where that is another. */
  group?: string
  /** What fields of the object are called there. */
  renamed?: Readonly<Record<string, string>>
  /** What is wrong with a new object that came this way. */
  causes?(object: JsonMap): readonly Cause[]
}

/** What a client may do with a part of an object. */
export type PartVerb = 'create' | 'delete' | 'get' | 'patch' | 'update'

/**
 * A part of objects that has a path of its own. Discovery tells these, and nothing else is routed.
 */
export interface Subresource {
  name: string
  verbs: readonly PartVerb[]
  /**
   * What is told through it where that is not the kind itself; the group and version of the core
   * are not told.
   */
  kind?: { group: string; version: string; kind: string }
}

/**
 * One row of the registry: a kind that is served and stored. A new kind is a new row, nothing else.
 */
export interface Resource {
  group: string
  version: string
  /** Versions under which the same objects are told too. */
  aliases?: readonly Alias[]
  plural: string
  singular: string
  kind: string
  namespaced: boolean
  shortNames: readonly string[]
  categories: readonly string[]
  /**
   * Served through a CRD. Its small answers differ from those of built-in kinds in a dozen places.
   */
  custom: boolean
  /** Has a status subresource, so the main endpoint ignores `status`. */
  status: boolean
  /** Its other subresources. */
  subresources: readonly Subresource[]
  /**
   * What is served where it is not everything: such kinds are answered for, and nothing is kept of
   * them.
   */
  verbs?: readonly string[]
  /** Whether the kind counts its spec changes; most small built-in kinds do not. */
  countsGenerations: boolean
  names: 'subdomain' | 'label' | 'path'
  schema: Schema
  /** Field selectors beyond metadata.name and metadata.namespace. */
  selectable: readonly string[]
  /** What tables show of a custom kind; without it they show its age. */
  columns?: readonly PrinterColumn[]
  hooks: KindHooks
}

/** A column of a table as a CRD declares it. */
export interface PrinterColumn {
  name: string
  type: 'string' | 'integer' | 'number' | 'boolean' | 'date'
  /** A JSON path. */
  path: string
  description?: string
  priority?: number
}

/** What one kind does beyond the generic rules. */
export interface KindHooks {
  /** Fills what the API fills on create. */
  onCreate?(object: KubeObject): KubeObject
  /** Brings any written object to its stored form. */
  normalise?(object: KubeObject): KubeObject
  validate?(object: KubeObject, old: KubeObject | null): readonly Cause[]
  /**
   * What webhooks do that come before the schema is checked: the object as they change it, or a
   * refusal thrown.
   */
  admit?(admittance: Admittance): KubeObject
  /** What webhooks say that come after it and change nothing: a refusal thrown, or nothing. */
  review?(admittance: Admittance): void
}

/** What a webhook is asked, and what it can look up. */
export interface Admittance {
  resource: Resource
  object: KubeObject
  /** Null on create. */
  old: KubeObject | null
  /** Who writes; components of the cluster are service accounts. */
  user: Identity
  dryRun: boolean
  /** The part of the object that is written by itself, such as its status. */
  subresource?: string | undefined
  /** Tells the client something that does not stop it. */
  warn(text: string): void
  get(kind: string, namespace: string | undefined, name: string): KubeObject | undefined
  list(kind: string, namespace?: string): KubeObject[]
  /** What a kind is called in the two above. */
  kindOf(apiVersion: string, kind: string): { called: string; namespaced: boolean } | null
}

/** All parts of the kind; those of built-in kinds are told by name. */
export const subresourcesOf = ({
  custom,
  status,
  subresources,
}: Resource): readonly Subresource[] => {
  const all = status ? [statusPart, ...subresources] : subresources
  return custom ? all : all.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

const statusPart: Subresource = { name: 'status', verbs: ['get', 'patch', 'update'] }

export const resourceName = (resource: Pick<Resource, 'plural' | 'group'>): string =>
  resource.group === '' ? resource.plural : `${resource.plural}.${resource.group}`

export const kindName = (resource: Pick<Resource, 'kind' | 'group'>): string =>
  resource.group === '' ? resource.kind : `${resource.kind}.${resource.group}`

/** Of the kind as it is kept, or as an alias tells it. */
export const apiVersionOf = (
  { group: own, version }: Pick<Resource, 'group' | 'version'>,
  alias: Alias = { version },
): string => {
  const { group = own } = alias
  return group === '' ? alias.version : `${group}/${alias.version}`
}
