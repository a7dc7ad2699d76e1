import { type Json, type JsonMap, type KubeObject } from './types.ts'
import { type Identity } from './identity.ts'
import { type Cause } from './cause.ts'

/**
 * An OpenAPI v3 structural schema, as CRDs declare it. Built-in kinds use only the parts that
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
  /**
   * How a built-in kind stores the zero value of the field, which it otherwise omits. An optional
   * pointer keeps it. Other fields are always written, with the zero value or null when absent.
   */
  zero?: 'stored' | 'written' | 'null'
  /** The keys of list items that have a default, with which server-side apply identifies items. */
  keyDefaults?: JsonMap
  rules?: readonly SchemaRule[]
  'x-kubernetes-preserve-unknown-fields'?: boolean
  'x-kubernetes-int-or-string'?: boolean
  'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map'
  'x-kubernetes-list-map-keys'?: readonly string[]
  'x-kubernetes-map-type'?: 'atomic' | 'granular'
}

/**
 * A CEL rule of a CRD. A transition rule compares with the old value and is skipped without one.
 */
export type SchemaRule = { message: string } & (
  { holds: (self: Json) => boolean } | { holdsAfter: (self: Json, old: Json) => boolean }
)

/** Another served version of a kind, with its deprecation warning. */
export interface Alias {
  version: string
  warning?: string
  /** The group that serves the version, when it differs. */
  group?: string
  /** The names of renamed fields in this version. */
  renamed?: Readonly<Record<string, string>>
  /** Validates a new object that was sent in this version. */
  causes?(object: JsonMap): readonly Cause[]
}

/** The verbs of a subresource. */
export type PartVerb = 'create' | 'delete' | 'get' | 'patch' | 'update'

/** A subresource of a kind. Discovery lists it, and only listed subresources are routed. */
export interface Subresource {
  name: string
  verbs: readonly PartVerb[]
  /**
   * The kind of the subresource's body when it differs. Discovery omits the group and version of
   * the core group.
   */
  kind?: { group: string; version: string; kind: string }
}

/** One row of the registry: a kind that is served and stored. A new kind needs only a new row. */
export interface Resource {
  group: string
  version: string
  /** Other versions in which the same objects are served. */
  aliases?: readonly Alias[]
  plural: string
  singular: string
  kind: string
  namespaced: boolean
  shortNames: readonly string[]
  categories: readonly string[]
  /**
   * True when a CRD defines the kind. Its responses differ from those of built-in kinds in a dozen
   * places.
   */
  custom: boolean
  /** True when the kind has a status subresource, so that the main endpoint ignores `status`. */
  status: boolean
  /** The subresources other than `status`. */
  subresources: readonly Subresource[]
  /** The served verbs when they are not all, as for review kinds, whose objects are not stored. */
  verbs?: readonly string[]
  /** A conditional update needs a `metadata.resourceVersion`. */
  updates: 'conditional' | 'unconditional'
  /** True when the kind has `metadata.generation`; most small built-in kinds do not. */
  countsGenerations: boolean
  /**
   * True when each write of a spec with an empty list or map counts as a change. The API server
   * compares the specs of these kinds without taking nil and empty for equal.
   */
  countsEmpty?: boolean
  /** True when a change of the labels counts, too. */
  countsLabels?: boolean
  /** True when a DELETE answers with the object instead of a Status. */
  returnsDeleted?: boolean
  names: 'subdomain' | 'label' | 'path'
  schema: Schema
  /** Field selectors beyond metadata.name and metadata.namespace. */
  selectable: readonly string[]
  /** The table columns of a custom kind; the default is the age. */
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

/** The behaviour of one kind beyond the generic rules. */
export interface KindHooks {
  /** Sets defaults on create. */
  onCreate?(object: KubeObject): KubeObject
  /** Converts a written object to its stored form. */
  normalise?(object: KubeObject): KubeObject
  validate?(object: KubeObject, old: KubeObject | null): readonly Cause[]
  /**
   * The mutating webhooks, which run before the schema check. Returns the changed object or throws
   * a refusal.
   */
  admit?(request: WebhookRequest): KubeObject
  /** The validating webhooks, which run after the schema check. Throws a refusal or returns. */
  review?(request: WebhookRequest): void
}

/** The request to a webhook, with read access to other objects. */
export interface WebhookRequest {
  resource: Resource
  object: KubeObject
  /** The stored object; null on create. */
  old: KubeObject | null
  /** The user who writes; components of the cluster use service accounts. */
  user: Identity
  dryRun: boolean
  /** The written subresource, such as `status`. */
  subresource?: string | undefined
  /** Sends a warning to the client without refusing the request. */
  warn(text: string): void
  get(kind: string, namespace: string | undefined, name: string): KubeObject | undefined
  list(kind: string, namespace?: string): KubeObject[]
  /** The resource name of a kind for `get` and `list`. */
  kindOf(apiVersion: string, kind: string): { called: string; namespaced: boolean } | null
}

/** All subresources of the kind; those of built-in kinds are sorted by name. */
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

/** The apiVersion of the stored kind or of an alias. */
export const apiVersionOf = (
  { group: own, version }: Pick<Resource, 'group' | 'version'>,
  alias: Alias = { version },
): string => {
  const { group = own } = alias
  return group === '' ? alias.version : `${group}/${alias.version}`
}
