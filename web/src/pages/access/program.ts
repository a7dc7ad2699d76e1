const browsers: readonly (readonly [mark: RegExp, name: string])[] = [
  // Browsers on Chromium name Chrome too, and Chrome names Safari, so the order matters.
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]

const systems: readonly (readonly [mark: RegExp, name: string])[] = [
  // Android names Linux too, and an iPhone names Mac OS X.
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
]

const nameIn = (
  names: readonly (readonly [mark: RegExp, name: string])[],
  userAgent: string,
): string | null => names.find(([mark]) => mark.test(userAgent))?.[1] ?? null

/**
 * Returns the program that a user agent names: a browser with its system, such as "Firefox on
 * Linux", or the first product of another program, such as "curl 8.14". Null when it names none.
 */
export function programOf(userAgent: string): { name: string; system: string | null } | null {
  const browser = nameIn(browsers, userAgent)
  if (browser) return { name: browser, system: nameIn(systems, userAgent) }
  const [product = ''] = userAgent.trim().split(/\s/)
  return product === '' ? null : { name: product.replace('/', ' '), system: null }
}
