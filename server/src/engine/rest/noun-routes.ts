import { lowerFirst } from './field-table.ts'
import { type OperationRow, operationField } from './operation-body.ts'
import { type Schema, component, object } from './json-schema.ts'
import { listResponse } from './list-response.ts'
import { type RequestBody } from './request-body.ts'
import {
  type QueryTable,
  listVariables,
  pageFields,
  searchFilter,
  sortParameter,
  usualSorts,
  wireNamesOf,
} from './request-query.ts'
import { type ResponseShape } from './response-shape.ts'
import {
  type PageInfo,
  type RestRoute,
  type Versioned,
  defaultWaitSeconds,
  route,
} from './route.ts'
import { success } from './success.ts'

interface Noun<Row extends object> {
  tag: string
  /** The path of the list, which ends in the REST name of the objects. */
  path: string
  /** The GraphQL type, which names the root fields, their inputs and their filters. */
  type: string
  shape: ResponseShape<Row>
  /** The field that names an object in its path. */
  key?: 'id' | 'name'
}

/** The parts of a route that differ from those of other nouns. */
type Differences<A> = Partial<
  Pick<
    RestRoute,
    'path' | 'headers' | 'input' | 'names' | 'status' | 'response' | 'defaultWaitSeconds'
  >
> & { output?: (result: A) => unknown }

interface ListOptions<Row> {
  filters?: QueryTable
  /** The fields by which the list can be sorted. */
  sorts?: readonly string[]
  isListed?: (row: Row) => boolean
}

interface Changed<Row> {
  answer: { object: Row; operation?: OperationRow | null }
}

interface ChangeOptions<Row> extends Differences<Changed<Row>> {
  /** The name of the mutation, where there is a usual one. */
  mutation?: string
  /** True when the mutation starts an operation. */
  startsOperation?: true
  /** The fields of the response beside the object. */
  beside?: Beside
}

interface UpdateOptions<Row> extends ChangeOptions<Row> {
  body: RequestBody
}

interface CreateOptions<Row> extends UpdateOptions<Row> {
  /** The REST name of the object in this response. */
  name?: string
}

interface ActionOptions<Row> extends ChangeOptions<Row> {
  mutation: string
  /** Without it, the action takes no body. */
  body?: RequestBody
}

interface MutationOptions<Row> extends ActionOptions<Row> {
  method: 'PATCH' | 'POST'
}

type Beside = Pick<ResponseShape, 'schema' | 'selection' | 'toWire'>

interface Payload {
  selection: string
  beside?: Beside | undefined
  startsOperation?: true | undefined
}

/** The response of a deletion that returns nothing. */
export const noContent = { output: () => null, status: 204, response: null } as const

/**
 * Declares the routes that most nouns have. The schema names root fields, inputs and filters by one
 * rule, so the type of the noun gives the documents. Each other route of a noun is written out.
 */
export class NounRoutes<Row extends object> {
  readonly #noun: Required<Noun<Row>>
  readonly #objectPath: string
  /** The REST name of the list, such as `ssh_keys`. */
  readonly #plural: string
  /** The REST name of one object, such as `ssh_key`. */
  readonly #name: string
  /** The root field of one object, such as `sshKey`. */
  readonly #field: string

  constructor({ key = 'id', ...noun }: Noun<Row>) {
    this.#noun = { ...noun, key }
    this.#objectPath = `${noun.path}/{${key}}`
    this.#plural = noun.path.slice('/api/v1/'.length).replaceAll('-', '_')
    this.#name = this.#plural.slice(0, -1)
    this.#field = lowerFirst(noun.type)
  }

  list(
    summary: string,
    { filters = searchFilter, sorts = usualSorts, isListed }: ListOptions<Row> = {},
  ): RestRoute {
    const { tag, path, type, shape } = this.#noun
    const [hasFilter, isSorted] = [Object.keys(filters).length > 0, sorts.length > 0]
    const types = Object.entries({
      first: 'Int',
      after: 'String',
      ...(hasFilter && { filter: `${type}Filter` }),
      ...(isSorted && { orderBy: `${type}Order` }),
    })
    const declared = types.map(([name, of]) => `$${name}: ${of}`).join(', ')
    const passed = types.map(([name]) => `${name}: $${name}`).join(', ')
    return route<{ answer: { nodes: Row[]; pageInfo: PageInfo } }>({
      method: 'GET',
      path,
      summary,
      tag,
      run: `query List${type}s(${declared}) {
        answer: ${this.#field}s(${passed}) { nodes { ${shape.selection} } ${pageFields} } }`,
      input: ({ query }) => listVariables(query, filters),
      names: wireNamesOf(filters),
      output: ({ answer: { nodes } }) => ({
        [this.#plural]: shape.toWireAll(isListed ? nodes.filter(isListed) : nodes),
      }),
      pageOf: ({ answer }) => answer.pageInfo,
      status: 200,
      query: { ...filters, ...(isSorted && sortParameter(sorts)) },
      response: listResponse(type, this.#plural, shape.schema),
    })
  }

  get(summary: string, differences: Differences<{ answer: Row }> = {}): RestRoute {
    const { tag, type, shape, key } = this.#noun
    const [field, idType] = key === 'id' ? [this.#field, 'ID'] : [`${this.#field}ByName`, 'String']
    return route<{ answer: Row }>({
      method: 'GET',
      path: this.#objectPath,
      summary,
      tag,
      run: `query Get${type}($${key}: ${idType}!) { answer: ${field}(${key}: $${key}) { ${shape.selection} } }`,
      input: ({ params }) => ({ [key]: params[key] }),
      ...(shape.isVersioned && { versionOf: ({ answer }) => versionOf(answer) }),
      output: ({ answer }) => ({ [this.#name]: shape.toWire(answer) }),
      status: 200,
      response: this.#schemaOf(this.#name),
      ...differences,
    })
  }

  create(
    summary: string,
    { mutation, startsOperation, body, beside, ...options }: CreateOptions<Row>,
  ): RestRoute {
    const { tag, path, type, shape } = this.#noun
    const { name = this.#name, ...differences } = options
    return route<Changed<Row>>({
      method: 'POST',
      path,
      summary,
      tag,
      ...this.#changeBy(mutation ?? `Create${type}`, {
        selection: shape.selection,
        startsOperation,
        beside,
      }),
      input: (request) => ({ input: request.body }),
      output: (result) => this.#wireOf(result, name, beside),
      status: 201,
      created: this.#objectPath,
      request: body,
      response: this.#schemaOf(name, beside),
      ...differences,
    })
  }

  update(summary: string, options: UpdateOptions<Row>): RestRoute {
    const mutation = `Update${this.#noun.type}`
    return this.#changeOf(summary, '', { method: 'PATCH', mutation, ...options })
  }

  /** Declares an action on one object, whose path is below that of the object. */
  act(summary: string, at: string, options: ActionOptions<Row>): RestRoute {
    return this.#changeOf(summary, at, { method: 'POST', ...options })
  }

  #changeOf(
    summary: string,
    at: string,
    { mutation, body, beside, startsOperation, ...differences }: MutationOptions<Row>,
  ): RestRoute {
    const { tag, shape, key } = this.#noun
    return route<Changed<Row>>({
      path: `${this.#objectPath}${at}`,
      summary,
      tag,
      ...this.#changeBy(mutation, { selection: shape.selection, beside, startsOperation }),
      input: ({ params, body: changes }) => ({ input: { [key]: params[key], ...changes } }),
      ...(shape.isVersioned && {
        takesVersion: true,
        versionOf: ({ answer }) => versionOf(answer.object),
      }),
      output: (result) => this.#wireOf(result, this.#name, beside),
      status: 200,
      ...(body && { request: body }),
      response: this.#schemaOf(this.#name, beside),
      ...differences,
    })
  }

  delete(
    summary: string,
    { mutation, startsOperation, ...differences }: ChangeOptions<Row> = {},
  ): RestRoute {
    const { tag, type, shape, key } = this.#noun
    return route<Changed<Row>>({
      method: 'DELETE',
      path: this.#objectPath,
      summary,
      tag,
      ...this.#changeBy(mutation ?? `Delete${type}`, { selection: 'id', startsOperation }),
      input: ({ params }) => ({ input: { [key]: params[key] } }),
      ...(shape.isVersioned && { takesVersion: true }),
      output: () => ({ success: true }),
      ...(startsOperation && { defaultWaitSeconds }),
      status: 200,
      response: success,
      ...differences,
    })
  }

  /** Returns the schema of a response with one object, which all such responses share. */
  #schemaOf(name: string, beside?: Beside): Schema {
    const { type, shape } = this.#noun
    const schema = object({ [name]: shape.schema })
    if (!beside && name === this.#name)
      return component({ name: `${type}Result`, description: 'One object.' }, schema)
    return {
      ...schema,
      properties: { ...schema.properties, ...beside?.schema.properties },
      required: [...(schema.required ?? []), ...(beside?.schema.required ?? [])],
    }
  }

  #wireOf(
    { answer: { object: changed, operation: _operation, ...further } }: Changed<Row>,
    name: string,
    beside: Beside | undefined,
  ): object {
    return { [name]: this.#noun.shape.toWire(changed), ...beside?.toWire(further) }
  }

  /** Returns the document of a mutation and, if it starts an operation, where its result has it. */
  #changeBy(mutation: string, { selection, beside, startsOperation }: Payload) {
    const [declared, passed, operation] = startsOperation
      ? [', $waitSeconds: Int', ', waitSeconds: $waitSeconds', operationField]
      : ['', '', '']
    return {
      run: `mutation ${mutation}($input: ${mutation}Input!${declared}) {
        answer: ${lowerFirst(mutation)}(input: $input${passed}) {
          object: ${this.#field} { ${selection} } ${beside?.selection ?? ''} ${operation} } }`,
      ...(startsOperation && {
        accepted: { operationOf: ({ answer }: Changed<Row>) => answer.operation ?? null },
      }),
    }
  }
}

/** The document of a shape with a version selects it. */
const versionOf = (row: object): number => (row as Versioned).version
