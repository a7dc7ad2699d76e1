import { type ClusterStreams } from '../engine/kube/streams/streams.ts'
import { type FaultCode } from '../engine/model/fault.ts'
import { type Viewer } from '../engine/model/viewer.ts'
import { type Scope } from '../engine/model/scope.ts'
import { type StorageClasses } from '../domain/storage-class/storage-class.ts'
import { type Networking } from '../domain/network/networking.ts'
import { type QuotaLimits } from '../domain/tenant/quota.ts'
import { type ImportRules } from '../domain/vm-template/image.ts'
import { type RedeemEventsTicket } from '../store/event/events-ticket.ts'
import { type Op, type Reads } from '../store/op.ts'
import { type BootLogs } from '../store/vm/vm-boot-log.ts'
import { type ConsoleDesk } from '../store/vm/vm-console.ts'

/**
 * One call of one caller: what every use case is given, and what its audit row and idempotency key
 * are made of.
 */
export interface Call {
  viewer: Viewer
  scope: Scope
  /** The name of the mutation. */
  operation: string
  requestId: string
  address: string
  idempotency: { key: string; bodyHash: Buffer } | null
}

/** What this installation is, as everybody who is logged in may know. */
export interface PlatformFacts {
  name: string
  version: string
  publicNetworkEnabled: boolean
  oidcEnabled: boolean
  cluster: string
}

/** How many guest logs one user follows at once. */
export const followersPerUser = 20

/** Counts the followers of each user. */
interface FollowerLimit {
  /** False when the user has as many as are allowed. */
  enter(follower: Follower): boolean
  leave(follower: Follower): void
}

interface Follower {
  userId: string
  tenantId: null
}

/** The door to use cases and reads: the edge holds one, built by compose. */
export interface Berth {
  platform: PlatformFacts
  /** What tenants may import images from. */
  importRules: ImportRules
  /** How private networks are made here. */
  networking: Networking
  /** Of tenants that have no limits of their own. */
  quotaDefaults: QuotaLimits
  /** The kinds of storage that there are; null until the cluster has told. */
  readonly storageClasses: () => StorageClasses
  /** Where browsers find this installation. */
  publicUrl: string
  /** Live bytes of running VMs: the one thing of a request that the cluster answers. */
  streams: ClusterStreams
  /** Each follower of a guest log has its own connection to the cluster. */
  logFollowers: FollowerLimit
  consoles: ConsoleDesk
  /** Uses a ticket for events up. */
  eventsTickets: RedeemEventsTicket
  bootLogs: BootLogs
  reads(scope: Scope): Reads
  write<T>(call: Call, act: (op: Op) => Promise<T>): Promise<T>
  /** Leaves the audit row of a refused or failed call. */
  refused(call: Call, code: FaultCode): Promise<void>
}
