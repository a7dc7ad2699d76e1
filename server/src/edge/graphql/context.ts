import { type Hub } from '../../engine/changes/hub.ts'
import { type Viewer } from '../../engine/model/viewer.ts'
import { type PageRequest } from '../../engine/model/page.ts'
import { type Scope } from '../../engine/model/scope.ts'
import { type Berth, type Call } from '../../usecases/berth.ts'
import { type Identity } from '../../usecases/identity/identity.ts'
import { type NetworkView } from '../../domain/network/network.ts'
import { type OperationView } from '../../domain/operation/operation.ts'
import { type VmView } from '../../domain/vm/vm.ts'
import { type VmSnapshotView } from '../../domain/vm-snapshot/vm-snapshot.ts'
import { type VolumeView } from '../../domain/volume/volume.ts'
import { type VolumeSnapshotView } from '../../domain/volume-snapshot/volume-snapshot.ts'
import { type VpcView } from '../../domain/vpc/vpc.ts'
import { type Clock } from '../../runtime/clock.ts'

/** One GraphQL request: who asks, and the door to the use cases. */
export interface GraphRequest {
  berth: Berth
  identity: Identity
  /** Where subscriptions listen. */
  hub: Hub
  /** Where the changes stood before anything was read for this request. */
  changeCursor: string
  viewer: Viewer
  requestId: string
  address: string
  userAgent: string
  idempotencyKey: string | null
  /** The most rows that one page may have. */
  pageCap: number
  clock: Pick<Clock, 'elapsedMs' | 'now' | 'sleep'>
  /** The caller has hung up, or this replica is about to stop. */
  isGone: () => boolean
}

type Act<T> = Parameters<Berth['write']>[1] extends (op: infer Op) => unknown
  ? (op: Op) => Promise<T>
  : never

/** What a mutation answers that can be waited for. */
export interface WaitedFor {
  operation: OperationView | null
  vm?: VmView
  vmSnapshot?: VmSnapshotView
  volume?: VolumeView
  volumeSnapshot?: VolumeSnapshotView
  vpc?: VpcView
  network?: NetworkView
}

/** What one root field works with: made by the guard once the caller may call it. */
export interface FieldContext extends GraphRequest {
  scope: Scope
  call: Call
  reads: ReturnType<Berth['reads']>
  pageOf(args: { first?: number | null; after?: string | null }): PageRequest
  write<T>(act: Act<T>): Promise<T>
  /**
   * The same, answered when the operation that was opened has ended or so many seconds are over.
   */
  writeAndWait<T extends WaitedFor>(seconds: number | null | undefined, act: Act<T>): Promise<T>
}
