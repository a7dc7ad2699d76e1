import { withStoredNames, withAliasNames } from '../kinds/alias-names.ts'
import { type Answer, type Call } from './request.ts'
import { apiVersionOf } from '../objects/resource.ts'
import { type KubeObject } from '../objects/types.ts'

type Named = Pick<Call, 'alias' | 'resource'>

/**
 * Converts the request body to the stored version. Versions of one group differ only in
 * `apiVersion`; kinds in another group also have other field names.
 */
export function toStoredVersion(
  call: Pick<Call, 'alias' | 'resource' | 'request'>,
  body: Buffer,
): Buffer {
  const { alias, resource } = call
  if (!alias) return body
  if (alias.renamed) return withStoredNames({ ...call, alias }, body)
  const [named, own] = [apiVersionOf(resource, alias), apiVersionOf(resource)]
  return Buffer.from(
    body
      .toString('utf8')
      .replace(new RegExp(`("?apiVersion"?:\\s*"?)${named.replaceAll('.', '\\.')}`), `$1${own}`),
  )
}

/** Converts a stored object to the requested version. */
export function toRequestedVersion({ alias, resource }: Named, object: KubeObject): KubeObject {
  if (!alias) return object
  const { kind, metadata, ...fields } = object
  const apiVersion = apiVersionOf(resource, alias)
  return alias.renamed
    ? { ...withAliasNames(alias, fields), kind, apiVersion, metadata }
    : { ...object, apiVersion }
}

/** Adds the deprecation warning of the requested version to the answer, if there is one. */
export function withAliasWarning({ alias }: Named, answer: Answer | null): Answer | null {
  if (!answer || alias?.warning === undefined) return answer
  return { ...answer, warnings: [`299 - "${alias.warning}"`, ...(answer.warnings ?? [])] }
}
