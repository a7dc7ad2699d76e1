/*
 * What a page is drawn by is kept in cookies: the server reads them when it is asked for the page,
 * and writes it into its first line (server/src/edge/console-door.ts). The storage of the browser
 * takes 10 ms before it answers its first question, in which the page does nothing.
 */
type Kept = 'theme' | 'language' | 'visits'

const aYear = 31_536_000

/** As it was when the page came. */
export const keptForPage = (name: Kept): string | undefined =>
  document.documentElement.dataset[name]

/** For the next page; null forgets it. */
export function keepForPage(name: Kept, value: string | null) {
  const secure = location.protocol === 'https:' ? '; secure' : ''
  document.cookie = `berth-${name}=${value ?? ''}; path=/; max-age=${value === null ? 0 : aYear}; samesite=lax${secure}`
}
