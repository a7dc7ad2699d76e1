const prefix = 'vol-'

/** What bears the data of a volume in the cluster, its claim and the disk in a machine alike. */
export const volumeName = (id: string): string => `${prefix}${id}`

/**
 * Whether an object of ours with this name is a tenant's volume, and not a part of something else.
 */
export const isVolume = (name: string): boolean => name.startsWith(prefix)

/** What a guest finds a disk by; more than 20 characters it would not be shown. */
export const serialOf = (id: string): string => id.replaceAll('-', '').slice(0, 20)
