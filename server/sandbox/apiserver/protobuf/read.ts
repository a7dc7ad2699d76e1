import { type JsonMap } from '../../objects/types.ts'
import { protobufKinds } from './kinds.ts'
import { WireError } from './wire.ts'
import * as readers from './field-readers.ts'
import { readMessage } from './field-readers.ts'

const { bytes, message, text } = readers

/** Every protobuf body starts with this prefix. */
const magic = Buffer.from('k8s\0')

const envelope = {
  1: ['type', message({ 1: ['apiVersion', text], 2: ['kind', text] })],
  2: ['raw', bytes],
} as const

/** Decodes a body. Null when its kind has no message table. */
export function readProtobuf(body: Buffer): JsonMap | null {
  if (!body.subarray(0, magic.length).equals(magic)) {
    throw new WireError(
      'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]',
    )
  }
  const { type, raw } = readMessage(body.subarray(magic.length), envelope)
  const { apiVersion, kind } =
    typeof type === 'object' && type !== null && !Array.isArray(type) ? type : {}
  // DeleteOptions have the apiVersion of the deleted kind.
  const table =
    protobufKinds[
      kind === 'DeleteOptions' ? 'v1/DeleteOptions' : `${String(apiVersion)}/${String(kind)}`
    ]
  return table
    ? { apiVersion, kind, ...readMessage(Buffer.from(String(raw ?? ''), 'base64'), table) }
    : null
}
