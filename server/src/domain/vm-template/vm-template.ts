import { type ImportReason } from './import-failure.ts'
import { type Message } from '../../engine/model/message.ts'

export const templateSources = ['container', 'iso'] as const
export type TemplateSource = (typeof templateSources)[number]

/** `other` gets the devices of `linux`. */
export const guestSystems = ['linux', 'windows', 'other'] as const
export type GuestSystem = (typeof guestSystems)[number]

export const templateStates = ['Active', 'Inactive'] as const
export type TemplateState = (typeof templateStates)[number]

export const importStates = ['importing', 'ready', 'failed'] as const
export type ImportState = (typeof importStates)[number]

/**
 * A template as its tenant sees it. A platform template has no tenant and is visible to all
 * tenants.
 */
export interface VmTemplateView {
  id: string
  tenantId: string | null
  name: string
  displayName: string
  description: string
  image: string
  sourceType: TemplateSource
  osType: GuestSystem
  cloudInitUserData: string | null
  isoSizeGi: number
  bootDiskSizeGi: number
  storageClass: string | null
  /** Active only when the user activated it and its import, if any, is done. */
  state: TemplateState
  /** The state of the import; null for a template without one. */
  importState: ImportState | null
  importReason: ImportReason | null
  importDetail: Message | null
  importPercent: number | null
  importedBytes: number | null
  totalBytes: number | null
  bytesPerSecond: number | null
  importEtaSeconds: number | null
  deleting: boolean
  readOnly: boolean
  version: number
  createdAt: string
  updatedAt: string
}
