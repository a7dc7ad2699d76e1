export const busyWiths = ['snapshot', 'restore'] as const
/** What of the cluster's work keeps a VM from being changed. */
export type BusyWith = (typeof busyWiths)[number]
