import { type NicView } from '../nic/nic.ts'
import { type GuestSystem, type TemplateSource } from '../vm-template/vm-template.ts'
import { type Explanation } from './explain.ts'
import { type BusyWith } from './busy.ts'
import { type VmState } from './state.ts'

export const rootDisks = ['persistent', 'ephemeral'] as const
export type RootDisk = (typeof rootDisks)[number]

export const powers = ['on', 'off'] as const
export type Power = (typeof powers)[number]

/** When a change of a machine takes effect. */
export const changeApplies = ['at_once', 'while_running', 'next_start'] as const
export type ChangeApplies = (typeof changeApplies)[number]

/** What a machine is counted with. */
export type VmSize = Pick<VmView, 'serviceOfferingId' | 'cpu' | 'memoryMi' | 'dedicatedCpu'>

/** A machine as its tenant sees it. */
export interface VmView {
  id: string
  tenantId: string
  tenantSlug: string
  /** Where the cluster has it. */
  namespace: string
  name: string
  displayName: string
  state: VmState
  stateSince: string
  /** Why it is not as asked; null when it is fine. */
  explanation: Explanation | null
  wantedPower: Power
  cpu: number
  memoryMi: number
  dedicatedCpu: boolean
  serviceOfferingId: string | null
  serviceOfferingName: string | null
  /** Null when the template is not there any more; what it was called stays. */
  templateId: string | null
  templateName: string
  image: string
  sourceType: TemplateSource
  /** It has, or is to have, the ISO that it is installed from. */
  isoInserted: boolean
  osType: GuestSystem
  secureBoot: boolean
  rootDisk: RootDisk
  bootDiskSizeGi: number
  storageClass: string | null
  /** How far the disk is filled, per cent; null while that is not known or over. */
  diskProgress: number | null
  ip: string | null
  /** Of all its NICs: as they are seen, the first of which is `ip`, and as they were given. */
  addresses: readonly string[]
  mac: string
  /** Absent where they were not read with it. */
  nics?: readonly NicView[]
  guestOs: string | null
  /** What keeps it from being changed at the moment. */
  busyWith: BusyWith | null
  /** Something was changed that takes effect with the next start only. */
  restartRequired: boolean
  tags: readonly string[]
  deleteProtection: boolean
  deleting: boolean
  version: number
  createdAt: string
  updatedAt: string
}
