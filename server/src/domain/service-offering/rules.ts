import { invalid } from '../../engine/model/name.ts'
import { messageOf } from '../../engine/model/message.ts'
import { type ServiceOfferingView } from './service-offering.ts'

const maxSize = { cpu: 1024, memoryMi: 16_777_216 } as const

/** Requires a whole number within the limits of a VM. */
export function requireSize(field: keyof typeof maxSize, value: number): number {
  if (!Number.isInteger(value) || value < 1)
    throw invalid(field, messageOf('field.not_positive_whole'))
  if (value > maxSize[field])
    throw invalid(field, messageOf('field.at_most', { most: maxSize[field] }))
  return value
}

interface SizedVm {
  serviceOfferingId?: string | null
}

/**
 * Refuses a withdrawn service offering. A VM that has it already may keep it: older clients repeat
 * it in each change. `vm` is null for a new VM.
 */
export function mustBeOffered(
  { id, name, state }: Pick<ServiceOfferingView, 'id' | 'name' | 'state'>,
  vm: SizedVm | null,
): void {
  if (state === 'Active' || vm?.serviceOfferingId === id) return
  const key = vm === null ? 'vm.offering_withdrawn' : 'vm.offering_withdrawn_of_vm'
  throw invalid('serviceOfferingId', messageOf(key, { offering: name }))
}
