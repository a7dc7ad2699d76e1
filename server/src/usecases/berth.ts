import { type ClusterStreams } from '../engine/kube/streams/streams.ts'
import { type FaultCode } from '../engine/model/fault.ts'
import { type Message } from '../engine/model/message.ts'
import { type Viewer } from '../engine/model/viewer.ts'
import { type Scope } from '../engine/model/scope.ts'
import { type ClusterFeaturesView } from '../domain/cluster-feature/cluster-feature.ts'
import { type StorageClasses } from '../domain/storage-class/storage-class.ts'
import { type NetworkSettings } from '../domain/network/network-settings.ts'
import { type SecondFactorPolicy } from '../domain/identity/second-factor.ts'
import { type QuotaLimits } from '../domain/tenant/quota.ts'
import { type ImportRules } from '../domain/vm-template/image.ts'
import { type RedeemEventsTicket } from '../store/event/events-ticket.ts'
import { type Op, type Reads } from '../store/op.ts'
import { type BootLogs } from '../store/vm/vm-boot-log.ts'
import { type ConsoleAccess } from '../store/vm/vm-console.ts'

/**
 * One call of a mutation. Every use case receives it, and the audit row and the idempotency key are
 * derived from it.
 */
export interface Call {
  viewer: Viewer
  scope: Scope
  /** The name of the mutation. */
  operation: string
  requestId: string
  address: string
  idempotency: { key: string; bodyHash: Buffer; onReplay: () => void } | null
}

/** The facts about this installation that every logged-in user may read. */
export interface PlatformFacts {
  name: string
  version: string
  publicNetworkEnabled: boolean
  oidcEnabled: boolean
  servesVirtfoundry: boolean
  apiKeyMaxDays: number | null
  cluster: string
}

/** The maximum number of guest logs that one user follows at the same time. */
export const followersPerUser = 20

/** Limits the guest logs that each user follows. */
interface FollowerLimit {
  /** False when the user has reached the limit. */
  acquire(follower: Follower): boolean
  release(follower: Follower): void
}

interface Follower {
  userId: string
  tenantId: null
}

/** The entry to use cases and reads. compose builds it, and the edge holds it. */
export interface Berth {
  platform: PlatformFacts
  /** The rules for image imports of tenants. */
  importRules: ImportRules
  /** The networking settings of this installation. */
  networking: NetworkSettings
  /** The limits of tenants without their own. */
  quotaDefaults: QuotaLimits
  /** Returns the storage classes. Null until the cluster has reported them. */
  readonly storageClasses: () => StorageClasses
  /**
   * Lists what the cluster lacks for the work of Berth. Empty before the cluster has been read.
   */
  readonly clusterProblems: () => readonly Message[]
  /** Returns the features that the cluster offers. Null until the cluster has been read. */
  readonly clusterFeatures: () => ClusterFeaturesView | null
  /** The users who need a second factor by the configuration. */
  secondFactorPolicy: SecondFactorPolicy
  /** The URL of this installation for browsers. */
  publicUrl: string
  /** Consoles and logs of running VMs. Nothing else in a request is answered by the cluster. */
  streams: ClusterStreams
  /** Each follower of a guest log has its own connection to the cluster. */
  logFollowers: FollowerLimit
  consoles: ConsoleAccess
  /** Redeems a ticket for events. */
  eventsTickets: RedeemEventsTicket
  bootLogs: BootLogs
  reads(scope: Scope): Reads
  write<T>(call: Call, act: (op: Op) => Promise<T>): Promise<T>
  /** Writes the audit row of a refused or failed call. */
  refused(call: Call, code: FaultCode): Promise<void>
}
