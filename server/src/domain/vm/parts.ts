/** What a machine has in the cluster beside itself, by names that only its row decides. */
export const vmParts = {
  disk: (id: string): string => `vm-${id}-root`,
  settings: (id: string): string => `vm-${id}-init`,
}
