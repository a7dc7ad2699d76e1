import { type Hub } from '../../changes/hub.ts'
import { type Viewer } from '../../domain/identity/viewer.ts'
import { type PageRequest } from '../../domain/page.ts'
import { type Scope } from '../../domain/scope.ts'
import { type Berth, type Call } from '../../usecases/berth.ts'
import { type Identity } from '../../usecases/identity/identity.ts'

/** One GraphQL request: who asks, and the door to the use cases. */
export interface GraphRequest {
  berth: Berth
  identity: Identity
  /** Where subscriptions listen. */
  hub: Hub
  viewer: Viewer
  requestId: string
  address: string
  userAgent: string
  idempotencyKey: string | null
  /** The most rows that one page may have. */
  pageCap: number
}

type Act<T> = Parameters<Berth['write']>[1] extends (op: infer Op) => unknown ? (op: Op) => Promise<T> : never

/** What one root field works with: made by the guard once the caller may call it. */
export interface FieldContext extends GraphRequest {
  scope: Scope
  call: Call
  reads: ReturnType<Berth['reads']>
  pageOf(args: { first?: number | null; after?: string | null }): PageRequest
  write<T>(act: Act<T>): Promise<T>
}
