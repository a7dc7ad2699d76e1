import { inOwnWords, inTheirWords } from '../kinds/alias-words.ts'
import { type Answer, type Call } from './request.ts'
import { apiVersionOf } from '../objects/resource.ts'
import { type KubeObject } from '../objects/types.ts'

type Named = Pick<Call, 'alias' | 'resource'>

/**
 * The body as the stored version has it. Versions of a group differ in nothing but their name;
 * other groups have words of their own.
 */
export function stored(call: Pick<Call, 'alias' | 'resource' | 'request'>, body: Buffer): Buffer {
  const { alias, resource } = call
  if (!alias) return body
  if (alias.renamed) return inOwnWords({ ...call, alias }, body)
  const [named, own] = [apiVersionOf(resource, alias), apiVersionOf(resource)]
  return Buffer.from(
    body
      .toString('utf8')
      .replace(new RegExp(`("?apiVersion"?:\\s*"?)${named.replaceAll('.', '\\.')}`), `$1${own}`),
  )
}

/** What is told of an object, in the version that was asked for. */
export function told({ alias, resource }: Named, object: KubeObject): KubeObject {
  if (!alias) return object
  const { kind, metadata, ...fields } = object
  const apiVersion = apiVersionOf(resource, alias)
  return alias.renamed
    ? { ...inTheirWords(alias, fields), kind, apiVersion, metadata }
    : { ...object, apiVersion }
}

export function inAlias({ alias }: Named, answer: Answer | null): Answer | null {
  if (!answer || alias?.warning === undefined) return answer
  return { ...answer, warnings: [`299 - "${alias.warning}"`, ...(answer.warnings ?? [])] }
}
