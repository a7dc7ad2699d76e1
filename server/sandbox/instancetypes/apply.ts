import { type JsonMap, type KubeObject } from '../objects/types.ts'
import { type Template, applyInstancetype } from './apply-instancetype.ts'
import { applyPreference } from './apply-preference.ts'
import { type Matcher, type Reader, findMatched } from './find.ts'

/** The specs of what a VM names; null for what it does not name, or what is not there. */
export type Matched = Record<Matcher, JsonMap | null>

export interface Missing {
  matcher: Matcher
  why: string
}

const matchers: readonly Matcher[] = ['instancetype', 'preference']

/** What the VM names, as copies to take from, and the first thing that is not there. */
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
 * Gives a draft its size and then its habits; the paths below its spec that already have a size of
 * their own, where it stays as it is.
 */
export function applyMatched(template: Template, { instancetype, preference }: Matched): string[] {
  const conflicts =
    instancetype === null ? [] : applyInstancetype(template, instancetype, preference)
  if (conflicts.length === 0 && preference !== null) applyPreference(template, preference)
  return conflicts
}

/** Where in an object the conflicts are; those of annotations are told without a way to them. */
export const conflictPaths = (at: string, conflicts: readonly string[]): string[] =>
  conflicts.map((path) => (path.startsWith('annotations.') ? path : `${at}.${path}`))
