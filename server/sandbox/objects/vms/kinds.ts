/** The kinds and finalizers of VMs and VMIs. */
export const vmKind = 'virtualmachines.kubevirt.io'
export const vmiKind = 'virtualmachineinstances.kubevirt.io'

export const controllerFinalizer = 'kubevirt.io/virtualMachineControllerFinalize'
export const deleteFinalizer = 'kubevirt.io/foregroundDeleteVirtualMachine'
