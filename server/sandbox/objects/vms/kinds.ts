/** The kinds that the life of a VM is written in. */
export const vmKind = 'virtualmachines.kubevirt.io'
export const vmiKind = 'virtualmachineinstances.kubevirt.io'

export const controllerFinalizer = 'kubevirt.io/virtualMachineControllerFinalize'
export const deleteFinalizer = 'kubevirt.io/foregroundDeleteVirtualMachine'
