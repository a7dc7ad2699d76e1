import {
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { FileError } from './files.ts'
import { type Json, type JsonMap, isMap } from '../../../objects/types.ts'

/*
 * The state that a simulated guest writes on a disk is at the end of the disk's file. It is JSON
 * text, its length in eight bytes, and a mark. A copy of the file includes it, and a downloaded
 * image before it stays unchanged.
 */
const mark = Buffer.from('BRTHDSK1')
const tailBytes = 16

/** Returns the state that a guest wrote on the disk; null when there is none that is readable. */
export function readDisk(path: string): JsonMap | null {
  if (!existsSync(path)) return null
  const file = openSync(path, 'r')
  try {
    const { start, length } = locate(file)
    if (length === 0) return null
    const text = Buffer.alloc(length)
    readSync(file, text, 0, length, start)
    return mapIn(text.toString('utf8'))
  } finally {
    closeSync(file)
  }
}

function mapIn(text: string): JsonMap | null {
  try {
    // The result of JSON.parse is a Json value.
    const value = JSON.parse(text) as Json
    return isMap(value) ? value : null
  } catch {
    return null
  }
}

/** Writes the state. A failure becomes a FileError, which only the guest sees. */
export function writeDisk(path: string, content: object): void {
  try {
    writeTail(path, content)
  } catch (error) {
    throw new FileError(
      `Input/output error (${error instanceof Error ? error.message : String(error)})`,
    )
  }
}

function writeTail(path: string, content: object): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const file = openSync(path, existsSync(path) ? 'r+' : 'w+', 0o600)
  try {
    const { start, length } = locate(file)
    const text = Buffer.from(JSON.stringify(content))
    const tail = Buffer.alloc(tailBytes)
    tail.writeBigUInt64BE(BigInt(text.length))
    mark.copy(tail, 8)
    writeSync(file, Buffer.concat([text, tail]), 0, text.length + tailBytes, start)
    if (length > text.length) ftruncateSync(file, start + text.length + tailBytes)
  } finally {
    closeSync(file)
  }
}

/** Finds the start and length of the state. Without one, it starts at the end of the file. */
function locate(file: number): { start: number; length: number } {
  const { size } = fstatSync(file)
  if (size < tailBytes) return { start: size, length: 0 }
  const tail = Buffer.alloc(tailBytes)
  readSync(file, tail, 0, tailBytes, size - tailBytes)
  const length = Number(tail.readBigUInt64BE())
  const hasMark = tail.subarray(8).equals(mark) && length <= size - tailBytes
  return hasMark ? { start: size - tailBytes - length, length } : { start: size, length: 0 }
}
