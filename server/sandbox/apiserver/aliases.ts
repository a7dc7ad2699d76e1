import { withStoredNames, withAliasNames } from '../kinds/alias-names.ts'
import { type Answer, type Call } from './request.ts'
import { apiVersionOf } from '../objects/resource.ts'
import { type KubeObject } from '../objects/types.ts'

/** A call by an alias: another version or group under which a stored kind is also served. */
type AliasCall = Pick<Call, 'alias' | 'resource'>

/**
 * Converts the request body to the stored version. The served versions of one group differ only in
 * `apiVersion`. An alias in another group also has other names of fields.
 */
export function toStoredVersion(
  call: Pick<Call, 'alias' | 'resource' | 'request'>,
  body: Buffer,
): Buffer {
  const { alias, resource } = call
  if (!alias) return body
  if (alias.renamed) return withStoredNames({ ...call, alias }, body)
  const [requested, stored] = [apiVersionOf(resource, alias), apiVersionOf(resource)]
  return Buffer.from(
    body
      .toString('utf8')
      .replace(
        new RegExp(`("?apiVersion"?:\\s*"?)${requested.replaceAll('.', '\\.')}`),
        `$1${stored}`,
      ),
  )
}

/** Converts a stored object to the requested version. */
export function toRequestedVersion({ alias, resource }: AliasCall, object: KubeObject): KubeObject {
  if (!alias) return object
  const { kind, metadata, ...fields } = object
  const apiVersion = apiVersionOf(resource, alias)
  return alias.renamed
    ? { ...withAliasNames(alias, fields), kind, apiVersion, metadata }
    : { ...object, apiVersion }
}

/** Adds the deprecation warning of the requested version to the answer, if there is one. */
export function withAliasWarning({ alias }: AliasCall, answer: Answer | null): Answer | null {
  if (!answer || alias?.warning === undefined) return answer
  return { ...answer, warnings: [`299 - "${alias.warning}"`, ...(answer.warnings ?? [])] }
}
