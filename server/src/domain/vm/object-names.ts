/** Names of the objects that belong to a VM in the cluster; they depend only on its id. */
export const vmObjectNames = {
  disk: (id: string): string => `vm-${id}-root`,
  /** The VM's copy of its installation ISO. */
  iso: (id: string): string => `vm-${id}-iso`,
  settings: (id: string): string => `vm-${id}-init`,
  /** The VirtualMachineRestore of the VM. */
  restore: (id: string): string => `vm-${id}-restore`,
  /**
   * The firewall of the VM: the network policy of its security groups. Existing clusters have it
   * under this name.
   */
  firewall: (id: string): string => `vm-${id}-guard`,
  /** The Service for SSH access, and its EndpointSlice. */
  ssh: (id: string): string => `vm-${id}-ssh`,
}

interface RootVolume {
  id: string
  rootClaim?: string | null
}

/** Names the volume of the root disk. An adopted one keeps its name. */
export const rootVolumeOf = ({ id, rootClaim }: RootVolume): string =>
  rootClaim ?? vmObjectNames.disk(id)

/** Lists the volumes that are created and deleted with the VM. */
export const ownVolumes = (vm: RootVolume, { hasIso }: { hasIso: boolean }): string[] =>
  hasIso ? [rootVolumeOf(vm), vmObjectNames.iso(vm.id)] : [rootVolumeOf(vm)]
