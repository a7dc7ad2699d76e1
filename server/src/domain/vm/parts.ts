/** What a machine has in the cluster beside itself, by names that only its row decides. */
export const vmParts = {
  disk: (id: string): string => `vm-${id}-root`,
  /** Its own copy of the ISO that it is installed from. */
  iso: (id: string): string => `vm-${id}-iso`,
  settings: (id: string): string => `vm-${id}-init`,
}

/** The volumes that are made for a machine and go with it. */
export const ownVolumes = (id: string, { hasIso }: { hasIso: boolean }): string[] =>
  hasIso ? [vmParts.disk(id), vmParts.iso(id)] : [vmParts.disk(id)]
