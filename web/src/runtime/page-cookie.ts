/*
 * The settings that the first frame needs are stored in cookies. The server reads them and writes
 * them into the page's `html` element (server/src/edge/console-handler.ts). The browser's storage
 * would be slower: its first read blocks the page for 10 ms.
 */
type PageSetting = 'theme' | 'language' | 'visits'

const aYear = 31_536_000

/** Returns the setting as it was when the page was loaded. */
export const pageSetting = (name: PageSetting): string | undefined =>
  document.documentElement.dataset[name]

/** Stores the setting for the next page load. Null deletes it. */
export function savePageSetting(name: PageSetting, value: string | null) {
  const secure = location.protocol === 'https:' ? '; secure' : ''
  document.cookie = `berth-${name}=${value ?? ''}; path=/; max-age=${value === null ? 0 : aYear}; samesite=lax${secure}`
}
