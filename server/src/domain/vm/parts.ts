/** What a machine has in the cluster beside itself, by names that only its row decides. */
export const vmParts = {
  disk: (id: string): string => `vm-${id}-root`,
  /** Its own copy of the ISO that it is installed from. */
  iso: (id: string): string => `vm-${id}-iso`,
  settings: (id: string): string => `vm-${id}-init`,
  /** What brings it back to a snapshot. */
  restore: (id: string): string => `vm-${id}-restore`,
  /** What keeps out, and in, whatever its security groups do not let through. */
  guard: (id: string): string => `vm-${id}-guard`,
  /** The port that leads to its SSH, and where that leads. */
  ssh: (id: string): string => `vm-${id}-ssh`,
}

/** The volumes that are made for a machine and go with it. */
export const ownVolumes = (id: string, { hasIso }: { hasIso: boolean }): string[] =>
  hasIso ? [vmParts.disk(id), vmParts.iso(id)] : [vmParts.disk(id)]
