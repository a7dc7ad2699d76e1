import { type JsonMap, type KubeObject } from '../objects/types.ts'
import { type Template, applyInstancetype } from './apply-instancetype.ts'
import { applyPreference } from './apply-preference.ts'
import { type Matcher, type Reader, findMatched } from './find.ts'

/**
 * The specs of the instance type and preference of a VM; null when the VM names none or it does not
 * exist.
 */
export type Matched = Record<Matcher, JsonMap | null>

export interface Missing {
  matcher: Matcher
  why: string
}

const matchers: readonly Matcher[] = ['instancetype', 'preference']

/** Finds copies of the specs that the VM names, and the first that does not exist. */
export function matchedBy(
  reader: Reader,
  vm: KubeObject,
): { matched: Matched; missing: Missing | null } {
  const matched: Matched = { instancetype: null, preference: null }
  const missing: Missing[] = []
  for (const matcher of matchers) {
    const found = findMatched(reader, vm, matcher)
    if (found && 'spec' in found) matched[matcher] = structuredClone(found.spec)
    else if (found) missing.push({ matcher, why: found.missing })
  }
  return { matched, missing: missing[0] ?? null }
}

/**
 * Applies the instance type and then the preference to a draft. Returns conflicting paths below the
 * spec, in which case the draft is unchanged.
 */
export function applyMatched(template: Template, { instancetype, preference }: Matched): string[] {
  const conflicts =
    instancetype === null ? [] : applyInstancetype(template, instancetype, preference)
  if (conflicts.length === 0 && preference !== null) applyPreference(template, preference)
  return conflicts
}

/** The full paths of conflicts. KubeVirt reports annotations without a prefix. */
export const conflictPaths = (at: string, conflicts: readonly string[]): string[] =>
  conflicts.map((path) => (path.startsWith('annotations.') ? path : `${at}.${path}`))
