import { type Hub } from '../../engine/changes/hub.ts'
import { type Viewer } from '../../engine/model/viewer.ts'
import { type PageRequest } from '../../engine/model/page.ts'
import { type Scope } from '../../engine/model/scope.ts'
import { type Berth, type Call } from '../../usecases/berth.ts'
import { type Identity } from '../../usecases/identity/identity.ts'
import { type OperationView } from '../../domain/operation/operation.ts'
import { type Clock } from '../../runtime/clock.ts'

/** One GraphQL request: the caller, and access to the use cases. */
export interface GraphRequest {
  berth: Berth
  identity: Identity
  /** Subscriptions listen to changes here. */
  hub: Hub
  /** The position in the change log before this request read anything. */
  changeCursor: string
  viewer: Viewer
  requestId: string
  address: string
  userAgent: string
  idempotencyKey: string | null
  /** Called when a mutation returns the stored response of an earlier request. */
  onReplay: () => void
  /** How long a write waits for a transient refusal to end. GraphQL answers immediately. */
  patienceSeconds: number
  /** The maximum number of rows in a page. */
  pageCap: number
  clock: Pick<Clock, 'elapsedMs' | 'now' | 'sleep'>
  /** True when the client disconnected or this replica shuts down. */
  isGone: () => boolean
}

/** The kinds of rows that are found by their id alone. */
export type NodeKind = NonNullable<Awaited<ReturnType<Reads['nodes']['kindOf']>>>

type Act<T> = Parameters<Berth['write']>[1] extends (op: infer Op) => unknown
  ? (op: Op) => Promise<T>
  : never

export type Reads = ReturnType<Berth['reads']>

/** The names of the reads that find many rows by their ids. */
export type FoundById = {
  [Name in keyof Reads]: Reads[Name] extends {
    findAll(ids: readonly string[]): Promise<readonly { id: string }[]>
  }
    ? Name
    : never
}[keyof Reads]

type Found<Read> = Read extends { find(id: string): Promise<infer View> }
  ? NonNullable<View>
  : never

/** The objects of all nouns, such as `vmSnapshot` of `reads.vmSnapshots`. */
type ReadObjects = {
  [Name in keyof Reads as Name extends `${infer Noun}s` ? Noun : never]?: Found<Reads[Name]>
}

/** The payload of a mutation that accepts `waitSeconds`. */
export interface WaitableResult extends Omit<ReadObjects, 'operation'> {
  operation: OperationView | null
}

/**
 * The context of one root field. The authorization wrapper creates it once the caller is
 * authorized.
 */
export interface FieldContext extends GraphRequest {
  scope: Scope
  call: Call
  reads: Reads
  pageOf(args: { first?: number | null; after?: string | null }): PageRequest
  write<T>(act: Act<T>): Promise<T>
  /** Like `write`, but answers when the new operation has ended or the time is over. */
  writeAndWait<T extends WaitableResult>(
    seconds: number | null | undefined,
    act: Act<T>,
  ): Promise<T>
}
