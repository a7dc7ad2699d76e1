import { type Json } from '../json.ts'
import { type Client } from '../clients/http-client.ts'
import { type World, type WorldTenant } from '../world/world.ts'

/** A request that a REST route answers with success. */
export interface FixtureRequest {
  path: string
  body?: Record<string, unknown>
  /**
   * The optional fields of this answer, nested ones after a dot. The OpenAPI document lists the
   * fields of every answer.
   */
  shows?: readonly string[]
  /** True when no other body is possible that leaves the tenant usable. */
  isOnlyBody?: true
}

/** How a test sends a successful request to a REST route, and who may not send it. */
export interface RouteFixture {
  status: number
  by: 'root' | 'admin' | 'anyone' | 'self'
  /** A role that lacks the permission; null when every user has it. */
  refused: 'admin' | 'operator' | 'viewer' | null
  /** True when the arrangement leaves an operation open, so that the world does not rest. */
  leavesOperationOpen?: true
  /** The content type of an answer that is not JSON. */
  media?: 'text/plain' | 'text/event-stream' | 'text/csv'
  arrange: (context: FixtureContext) => Promise<FixtureRequest> | FixtureRequest
}

/** The installation and the tenant in which a fixture creates its objects. */
export interface FixtureContext {
  world: World
  tenant: WorldTenant
  /** A user for the request that ends its own login. The arrangement of its fixture creates it. */
  self?: Client
}

/** The client that sends a request, and the role that is refused. */
export const by = {
  root: { by: 'root', refused: 'admin' },
  admin: { by: 'admin', refused: 'viewer' },
  anyone: { by: 'admin', refused: null },
} as const

/** Returns the names of nested fields, such as `vm.name`. */
export const under = (name: string, text: string): string[] =>
  text.split(/\s+/).map((key) => `${name}.${key}`)

/** Creates an object over REST and returns the answer. */
export const madeBy = async (
  client: Client,
  path: string,
  body: Record<string, unknown>,
): Promise<Json> => {
  const made = await client.rest('POST', path, { body })
  if (made.status !== 201) throw new Error(`POST ${path}: ${made.text}`)
  return made.body
}
