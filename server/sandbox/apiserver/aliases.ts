import { type Answer, type Call } from './request.ts'
import { type KubeObject } from './types.ts'

type Named = Pick<Call, 'alias' | 'resource'>

/** The body as the stored version has it. Versions differ in nothing but their name. */
export function stored({ alias, resource: { group, version } }: Named, body: Buffer): Buffer {
  if (!alias) return body
  const [named, own] = [`${group}/${alias.version}`, `${group}/${version}`]
  return Buffer.from(body.toString('utf8').replace(new RegExp(`("?apiVersion"?:\\s*"?)${named.replaceAll('.', '\\.')}`), `$1${own}`))
}

/** What is told of an object, in the version that was asked for. */
export const told = ({ alias, resource: { group } }: Named, object: KubeObject): KubeObject =>
  alias ? { ...object, apiVersion: `${group}/${alias.version}` } : object

export function inAlias({ alias }: Named, answer: Answer | null): Answer | null {
  if (!answer || alias?.warning === undefined) return answer
  return { ...answer, warnings: [`299 - "${alias.warning}"`, ...(answer.warnings ?? [])] }
}
