import { type KubeObject } from '../../objects/types.ts'

const known = new Map<string, string>()

/** The progress that the worker pod would report in its metrics. */
export const progressOf = ({ metadata }: KubeObject): string | undefined =>
  known.get(metadata.uid ?? '')

export function setProgress(uid: string, fraction: number | null): void {
  if (fraction === null) known.delete(uid)
  else known.set(uid, `${(Math.min(fraction, 1) * 100).toFixed(2)}%`)
}
