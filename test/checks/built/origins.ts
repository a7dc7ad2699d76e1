import type { Finding } from '../finding.ts'

/**
 * Hosts that occur in the bundle as text and are never requested: names of namespaces and links in
 * error messages.
 */
export const textOnly: readonly { readonly host: string; readonly because: string }[] = [
  { host: 'www.w3.org', because: 'names of the SVG, MathML and XHTML namespaces' },
  { host: 'spec.graphql.org', because: 'links in messages of graphql' },
  { host: 'github.com', because: 'links in messages of vue, urql and graphql' },
  { host: 'vuejs.org', because: 'links in messages of vue' },
  { host: 'router.vuejs.org', because: 'links in messages of vue-router' },
  { host: 'reka-ui.com', because: 'links in messages of reka-ui' },
  { host: 'tailwindcss.com', because: 'the licence line of the style sheet' },
  { host: 'bit.ly', because: 'links in messages of urql' },
  { host: 'json-schema.org', because: 'names of JSON Schema dialects' },
  { host: 'yarnpkg.com', because: 'comments in code of the query editor' },
  { host: 'en.wikipedia.org', because: 'comments in code of the query editor' },
  { host: 'commonmark.org', because: 'comments in code of the query editor' },
  {
    host: 'images.example.com',
    because: 'the placeholder of an image address',
  },
  { host: 'localhost', because: 'the base URL for resolving relative addresses' },
]

// Addresses that a browser loads by itself. Here even a host of `textOnly` is wrong.
const loads = [
  /<(?:script|img|iframe|source|video|audio|embed)\b[^>]*?\bsrc\s*=\s*["']?(?:https?:)?\/\/([^/"'\s>]+)/gi,
  /<link\b[^>]*?\bhref\s*=\s*["']?(?:https?:)?\/\/([^/"'\s>]+)/gi,
  /url\(\s*["']?(?:https?:)?\/\/([^/"')\s]+)/gi,
  /@import\s+["'](?:https?:)?\/\/([^/"'\s]+)/gi,
  /\bimport\s*\(?\s*["']https?:\/\/([^/"'\s]+)/g,
]
const anyUrl = /\b(?:https?|wss?):\/\/([\w.-]+)/g

/** Reports addresses of other origins, because the console must work without the internet. */
export function originFindings(file: string, text: string): Finding[] {
  const loaded = hosts(text, loads).map((host) => ({
    file,
    rule: 'no other origin',
    message: `loads from ${host}`,
  }))
  const known = new Set(textOnly.map(({ host }) => host))
  const unknown = hosts(text, [anyUrl]).filter((host) => !known.has(host) && host.includes('.'))
  return [
    ...loaded,
    ...unknown.map((host) => ({
      file,
      rule: 'no other origin',
      message: `names ${host}, which is not listed in textOnly of origins.ts`,
    })),
  ]
}

function hosts(text: string, patterns: readonly RegExp[]): string[] {
  return [
    ...new Set(
      patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([, host]) => host ?? '')),
    ),
  ]
}
