import { type Secret } from '../../runtime/config/secret.ts'
import { type CreatedVmObjects } from '../../store/vm/vm.ts'
import { type AppliedFirewall } from '../vm-firewall/vm-firewall-record.ts'

/** The objects of a VM that exist before the VM itself does. */
export interface CreatedParts {
  firewall?: AppliedFirewall
  settings?: Pick<CreatedVmObjects, 'secretUid' | 'keepsGuestState'>
  disk?: Pick<CreatedVmObjects, 'diskUid' | 'isoUid'>
  /** The user data of a VM whose row was lost. */
  userData?: Secret
}
