import { refuse } from '../../objects/status.ts'

export type Form = 'object' | 'metadata' | 'table'

/** The negotiated media type: the amount of each object in the response, and the syntax. */
export interface MediaType {
  form: Form
  /** The `as` parameter of the header. It must fit an object or a list. */
  as: string
  /** Version of the meta.k8s.io group. */
  version: 'v1' | 'v1beta1'
  syntax: 'json' | 'yaml'
}

const forms: Readonly<Record<string, Form>> = {
  '': 'object',
  PartialObjectMetadata: 'metadata',
  PartialObjectMetadataList: 'metadata',
  Table: 'table',
}

export const mediaTypes = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
] as const
const streamedTypes = [
  'application/json;stream=watch',
  'application/vnd.kubernetes.protobuf;stream=watch',
] as const

/**
 * Returns the most preferred media type that can be served. Protobuf responses are not supported;
 * Go clients accept JSON too.
 */
export function negotiate(
  accept: string | undefined,
  { isWatch }: { isWatch: boolean },
): MediaType {
  if (accept === undefined || accept.trim() === '') return plainJson
  const clauses = accept.split(',').map(clauseOf)
  const candidates = clauses
    .sort((a, b) => b.quality - a.quality)
    .map((clause) => served(clause, isWatch))
  const first = candidates.find((each) => each !== null)
  if (first) return first
  throw refuse.notAcceptable(
    `only the following media types are accepted: ${(isWatch ? streamedTypes : mediaTypes).join(', ')}`,
  )
}

export const plainJson: MediaType = { form: 'object', as: '', version: 'v1', syntax: 'json' }

interface Clause {
  type: string
  parameters: ReadonlyMap<string, string>
  quality: number
}

function clauseOf(text: string): Clause {
  const [type = '', ...rest] = text.split(';').map((part) => part.trim())
  const parameters = new Map(
    rest.map((each) => {
      const [key = '', value = ''] = each.split('=')
      return [key, value]
    }),
  )
  const quality = Number(parameters.get('q') ?? 1)
  return { type, parameters, quality: Number.isNaN(quality) ? 1 : quality }
}

function served({ type, parameters }: Clause, isWatch: boolean): MediaType | null {
  const syntax = syntaxOf(type, isWatch)
  const as = parameters.get('as') ?? ''
  const form = forms[as]
  if (syntax === null || form === undefined) return null
  if (form === 'object') return { ...plainJson, syntax }
  const version = parameters.get('v')
  const isKnown =
    parameters.get('g') === 'meta.k8s.io' && (version === 'v1' || version === 'v1beta1')
  return isKnown ? { form, as, version, syntax } : null
}

function syntaxOf(type: string, isWatch: boolean): MediaType['syntax'] | null {
  if (['application/json', 'application/*', '*/*'].includes(type)) return 'json'
  return type === 'application/yaml' && !isWatch ? 'yaml' : null
}
