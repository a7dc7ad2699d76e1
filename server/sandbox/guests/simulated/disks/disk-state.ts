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
 * What guests write on a disk lies at the end of the disk's file: the text of it, its length in
 * eight bytes, and a mark. So it goes along where the file is copied, and an image that was
 * downloaded stays in front of it as it came.
 */
const mark = Buffer.from('BRTHDSK1')
const tailBytes = 16

/** What was written on the disk; null when nothing was, or nothing that we understand. */
export function readDisk(path: string): JsonMap | null {
  if (!existsSync(path)) return null
  const file = openSync(path, 'r')
  try {
    const { start, length } = placeIn(file)
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
    // What JSON.parse yields is JSON.
    const value = JSON.parse(text) as Json
    return isMap(value) ? value : null
  } catch {
    return null
  }
}

/** A disk that cannot be written is the guest's trouble, and nobody else's. */
export function writeDisk(path: string, content: object): void {
  try {
    written(path, content)
  } catch (error) {
    throw new FileError(
      `Input/output error (${error instanceof Error ? error.message : String(error)})`,
    )
  }
}

function written(path: string, content: object): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const file = openSync(path, existsSync(path) ? 'r+' : 'w+', 0o600)
  try {
    const { start, length } = placeIn(file)
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

/** Where it begins and how long it is; behind everything else when there is none yet. */
function placeIn(file: number): { start: number; length: number } {
  const { size } = fstatSync(file)
  if (size < tailBytes) return { start: size, length: 0 }
  const tail = Buffer.alloc(tailBytes)
  readSync(file, tail, 0, tailBytes, size - tailBytes)
  const length = Number(tail.readBigUInt64BE())
  const isOurs = tail.subarray(8).equals(mark) && length <= size - tailBytes
  return isOurs ? { start: size - tailBytes - length, length } : { start: size, length: 0 }
}
