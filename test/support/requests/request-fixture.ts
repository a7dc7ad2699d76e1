import { type Json } from '../json.ts'
import { type Client } from '../clients/http-client.ts'
import { type World, type WorldTenant } from '../world/world.ts'

/** A request that a row of the REST table answers with success. */
export interface Asked {
  path: string
  body?: Record<string, unknown>
  /**
   * The optional fields that this answer has, nested ones after a dot. The OpenAPI document says
   * which fields any answer of the row has.
   */
  shows?: readonly string[]
}

export interface Act {
  status: number
  by: 'root' | 'admin' | 'anyone'
  /** Who is logged in and still not allowed; null where everybody who is logged in may. */
  refused: 'admin' | 'operator' | 'viewer' | null
  /** Of an answer that is no JSON. */
  media?: 'text/plain' | 'text/event-stream'
  arrange: (place: Place) => Promise<Asked> | Asked
}

export interface Place {
  world: World
  tenant: WorldTenant
}

/** Who makes an act, and who is refused. */
export const by = {
  root: { by: 'root', refused: 'admin' },
  admin: { by: 'admin', refused: 'viewer' },
  anyone: { by: 'admin', refused: null },
} as const

export const under = (name: string, text: string): string[] =>
  text.split(/\s+/).map((key) => `${name}.${key}`)

export const madeBy = async (
  client: Client,
  path: string,
  body: Record<string, unknown>,
): Promise<Json> => {
  const made = await client.rest('POST', path, { body })
  if (made.status !== 201) throw new Error(`POST ${path}: ${made.text}`)
  return made.body
}
