/** The most characters that the server accepts in the name of a new object. */
export const longestName = 50

/** Derives a slug from a name. It is a DNS label, so it may also name a namespace or a host. */
export function slugFromName(name: string, most = 40): string {
  return name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, most)
    .replace(/-+$/, '')
}
