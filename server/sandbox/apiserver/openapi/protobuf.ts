import { stringify } from 'yaml'
import { type Json, type JsonMap, isMap } from '../../objects/types.ts'

/*
 * Encodes the OpenAPI 2 document as protobuf, the only encoding that Go clients accept. A message
 * is a table of fields: the number and the writer of each. Other fields are extensions, which are
 * encoded as YAML text.
 */
type Write = (number: number, value: Json) => Buffer

interface Message {
  fields: Readonly<Record<string, readonly [number: number, write: Write]>>
  /** Number of the repeated field with the name and value of extensions. */
  extensions?: number
}

const varint = (value: number): Buffer => {
  const bytes: number[] = []
  let rest = BigInt.asUintN(64, BigInt(value))
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128)
  return Buffer.from([...bytes, Number(rest)])
}

const tag = (number: number, wire: 0 | 1 | 2): Buffer => varint(number * 8 + wire)

const bytes = (number: number, content: Buffer): Buffer =>
  Buffer.concat([tag(number, 2), varint(content.length), content])

const text: Write = (number, value) => bytes(number, Buffer.from(String(value)))

const flag: Write = (number, value) =>
  value === true ? Buffer.concat([tag(number, 0), varint(1)]) : Buffer.alloc(0)

const integer: Write = (number, value) => Buffer.concat([tag(number, 0), varint(Number(value))])

const double: Write = (number, value) => {
  const content = Buffer.alloc(8)
  content.writeDoubleLE(Number(value))
  return Buffer.concat([tag(number, 1), content])
}

const any: Write = (number, value) => bytes(number, text(2, stringify(value)))

const each =
  (write: Write): Write =>
  (number, value) =>
    Buffer.concat((Array.isArray(value) ? value : [value]).map((item) => write(number, item)))

/** The message is looked up when a value is written, because messages refer to each other. */
const message =
  (of: () => Message): Write =>
  (number, value) =>
    bytes(number, messageBytes(of(), value))

/** A message that contains only one other field. */
const inside =
  (number: number, write: Write): Write =>
  (outer, value) =>
    bytes(outer, write(number, value))

/** A map, encoded as pairs of a name and a value. */
const named =
  (write: Write): Write =>
  (number, value) =>
    Buffer.concat(
      entries(value).map(([name, item]) =>
        bytes(number, Buffer.concat([text(1, name), write(2, item)])),
      ),
    )

const entries = (value: Json): [string, Json][] =>
  isMap(value)
    ? Object.entries(value).flatMap(([key, item]): [string, Json][] =>
        item === undefined ? [] : [[key, item]],
      )
    : []

function messageBytes({ fields, extensions }: Message, value: Json): Buffer {
  return Buffer.concat(
    entries(value).map(([key, item]) => {
      const [number, write] = fields[key] ?? []
      if (number !== undefined && write !== undefined) return write(number, item)
      return extensions === undefined ? Buffer.alloc(0) : named(any)(extensions, { [key]: item })
    }),
  )
}

const schema: Message = {
  fields: {
    $ref: [1, text],
    format: [2, text],
    title: [3, text],
    description: [4, text],
    default: [5, any],
    maximum: [7, double],
    minimum: [9, double],
    maxLength: [11, integer],
    minLength: [12, integer],
    pattern: [13, text],
    maxItems: [14, integer],
    minItems: [15, integer],
    uniqueItems: [16, flag],
    required: [19, each(text)],
    enum: [20, each(any)],
    additionalProperties: [
      21,
      inside(
        1,
        message(() => schema),
      ),
    ],
    type: [22, inside(1, text)],
    items: [
      23,
      inside(
        1,
        message(() => schema),
      ),
    ],
    properties: [25, inside(1, named(message(() => schema)))],
  },
  extensions: 31,
}

const bodyParameter: Message = {
  fields: {
    description: [1, text],
    name: [2, text],
    in: [3, text],
    required: [4, flag],
    schema: [5, message(() => schema)],
  },
}

const simple = (type: number, unique: number): Message => ({
  fields: {
    required: [1, flag],
    in: [2, text],
    description: [3, text],
    name: [4, text],
    type: [type, text],
    uniqueItems: [unique, flag],
  },
})

const queryParameter = simple(6, 20)
const pathParameter = simple(5, 18)

/** A parameter is wrapped in several messages, which encode its location. */
const parameter: Write = (number, value) => {
  const location = isMap(value) ? value.in : ''
  return (parameters[String(location)] ?? parameters.query)(number, value)
}

const parameters: Readonly<Record<string, Write>> & { query: Write } = {
  body: inside(
    1,
    inside(
      1,
      message(() => bodyParameter),
    ),
  ),
  query: inside(
    1,
    inside(
      2,
      inside(
        3,
        message(() => queryParameter),
      ),
    ),
  ),
  path: inside(
    1,
    inside(
      2,
      inside(
        4,
        message(() => pathParameter),
      ),
    ),
  ),
}

const response: Message = {
  fields: {
    description: [1, text],
    schema: [
      2,
      inside(
        1,
        message(() => schema),
      ),
    ],
  },
  extensions: 5,
}

const operation: Message = {
  fields: {
    tags: [1, each(text)],
    description: [3, text],
    operationId: [5, text],
    consumes: [7, each(text)],
    parameters: [8, each(parameter)],
    responses: [
      9,
      inside(
        1,
        named(
          inside(
            1,
            message(() => response),
          ),
        ),
      ),
    ],
  },
  extensions: 13,
}

const operationField = message(() => operation)

const pathItem: Message = {
  fields: {
    get: [2, operationField],
    put: [3, operationField],
    post: [4, operationField],
    delete: [5, operationField],
    patch: [8, operationField],
    parameters: [9, each(parameter)],
  },
}

const document: Message = {
  fields: {
    swagger: [1, text],
    info: [2, message(() => ({ fields: { title: [1, text], version: [2, text] } }))],
    paths: [8, inside(2, named(message(() => pathItem)))],
    definitions: [9, inside(1, named(message(() => schema)))],
  },
}

export const protobufOf = (value: JsonMap): Buffer => messageBytes(document, value)
