import { type Transport } from '../../engine/kube/transport.ts'
import { type PowerWriter, type VmDriftWriter } from '../writer.ts'
import { powerWriter } from './power-vm.ts'
import { vmDriftWriter } from './vm-drift.ts'

/** Changes VMs in ways that an apply of their manifests cannot. */
export const vmWriter = (transport: Transport): PowerWriter & VmDriftWriter => ({
  ...powerWriter(transport),
  ...vmDriftWriter(transport),
})
