export const busyWiths = ['snapshot', 'restore'] as const
/** Work of the cluster that blocks changes of a VM. */
export type BusyWith = (typeof busyWiths)[number]
