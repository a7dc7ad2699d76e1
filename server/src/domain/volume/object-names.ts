const prefix = 'vol-'

/** Names the DataVolume and claim of a volume, and its disk in a VM. */
export const volumeName = (id: string): string => `${prefix}${id}`

/**
 * True when an object of Berth with this name is a tenant's volume, and not part of another
 * resource.
 */
export const isVolume = (name: string): boolean => name.startsWith(prefix)

/** Returns the serial by which a guest finds the disk. Guests show at most 20 characters. */
export const serialOf = (id: string): string => id.replaceAll('-', '').slice(0, 20)
