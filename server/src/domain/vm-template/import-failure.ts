/** Why an import ended without an image. The list is closed: what importers say beyond it would tell tenants about the operator's network (S-33). */
export const importReasons = [
  'unreachable',
  'not_found',
  'tls',
  'not_an_image',
  'too_large',
  'no_space',
  'timeout',
  'importer_missing',
  'cancelled',
  'lost',
] as const

export type ImportReason = (typeof importReasons)[number]
