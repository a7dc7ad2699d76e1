export const offeringStates = ['Active', 'Inactive'] as const
export type OfferingState = (typeof offeringStates)[number]

/** A named size of VMs, as clients see it. */
export interface ServiceOfferingView {
  id: string
  name: string
  displayName: string
  cpu: number
  memoryMi: number
  dedicatedCpu: boolean
  storageTags: string | null
  state: OfferingState
  externalUuid: string | null
  importSource: string | null
  version: number
  createdAt: string
  updatedAt: string
}
