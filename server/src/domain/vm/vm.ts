import { type NicView } from '../nic/nic.ts'
import { type GuestSystem, type TemplateSource } from '../vm-template/vm-template.ts'
import { type VmDifference } from '../vm-drift/drift.ts'
import { type Explanation } from './explain.ts'
import { type BusyWith } from './busy.ts'
import { type VmState } from './state.ts'

export const rootDisks = ['persistent', 'ephemeral'] as const
export type RootDisk = (typeof rootDisks)[number]

export const powers = ['on', 'off'] as const
export type Power = (typeof powers)[number]

/** When a change of a VM takes effect. */
export const changeApplies = ['at_once', 'while_running', 'next_start'] as const
export type ChangeApplies = (typeof changeApplies)[number]

/** The size of a VM that quota and capacity count. */
export type VmSize = Pick<VmView, 'serviceOfferingId' | 'cpu' | 'memoryMi' | 'dedicatedCpu'>

/** A VM as its tenant sees it. */
export interface VmView {
  id: string
  tenantId: string
  tenantSlug: string
  /** The namespace of its objects in the cluster. */
  namespace: string
  name: string
  displayName: string
  state: VmState
  stateSince: string
  /** Explains why it differs from its desired state; null when it is fine. */
  explanation: Explanation | null
  /** How the VM in the cluster differs from Berth; null when it does not. */
  drift: readonly VmDifference[] | null
  wantedPower: Power
  /** True while an operation that starts the stopped VM is open. */
  startRequested: boolean
  cpu: number
  memoryMi: number
  dedicatedCpu: boolean
  serviceOfferingId: string | null
  serviceOfferingName: string | null
  /** The template; null after it is deleted. The name of the template remains. */
  templateId: string | null
  templateName: string
  image: string
  sourceType: TemplateSource
  /** True when the VM has, or should have, its installation ISO. */
  isoInserted: boolean
  osType: GuestSystem
  secureBoot: boolean
  rootDisk: RootDisk
  bootDiskSizeGi: number
  storageClass: string | null
  /** Per cent of the root disk that is filled; null when unknown or complete. */
  diskProgress: number | null
  /** The node of the VMI; null while none runs. */
  host: string | null
  ip: string | null
  /** The addresses of all NICs, observed and allocated. The first observed one is `ip`. */
  addresses: readonly string[]
  mac: string
  /** Absent when the NICs were not loaded. */
  nics?: readonly NicView[]
  guestOs: string | null
  /** The cluster's work that blocks changes at the moment. */
  busyWith: BusyWith | null
  /** True when a change takes effect only at the next start. */
  restartRequired: boolean
  tags: readonly string[]
  deleteProtection: boolean
  deleting: boolean
  version: number
  createdAt: string
  updatedAt: string
}
