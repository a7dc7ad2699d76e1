import { createHash, randomBytes, randomUUID } from 'node:crypto'

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export const newId = (): string => randomUUID()

export const isId = (text: string): boolean => uuidPattern.test(text)

/** Returns random text in the URL-safe alphabet, with 8 bits of entropy per byte. */
export const randomToken = (bytes: number): string => randomBytes(bytes).toString('base64url')

export const sha256 = (content: string | Uint8Array): Buffer =>
  createHash('sha256').update(content).digest()
