import { type Rule, coversPath } from './rules.ts'

/** A rule with one verb, one resource or path, and at most one name. */
type Atom = Rule

const none: Rule = {
  verbs: [],
  apiGroups: [],
  resources: [],
  resourceNames: [],
  nonResourceURLs: [],
}

/** Returns the requested permissions that the held rules do not cover, as sorted texts of rules. */
export function missingPermissions(held: readonly Rule[], requested: readonly Rule[]): string[] {
  const missing = requested
    .flatMap(atomsOf)
    .filter((atom) => !held.some((rule) => covers(rule, atom)))
  return [...new Set(compacted(missing).map(textOf))].sort()
}

function atomsOf({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: Rule): Atom[] {
  const named = (atom: Rule): Atom[] =>
    resourceNames.length === 0
      ? [atom]
      : resourceNames.map((name) => ({ ...atom, resourceNames: [name] }))
  const onResource = (group: string, resource: string): Atom[] =>
    verbs.flatMap((verb) =>
      named({ ...none, verbs: [verb], apiGroups: [group], resources: [resource] }),
    )
  return [
    ...apiGroups.flatMap((group) => resources.flatMap((resource) => onResource(group, resource))),
    ...nonResourceURLs.flatMap((url) =>
      verbs.map((verb) => ({ ...none, verbs: [verb], nonResourceURLs: [url] })),
    ),
  ]
}

const hasAll = (held: readonly string[], requested: readonly string[]): boolean =>
  held.includes('*') || requested.every((each) => held.includes(each))

function covers(rule: Rule, atom: Atom): boolean {
  const coversNames =
    rule.resourceNames.length === 0 || (atom.resourceNames.length > 0 && hasNames(rule, atom))
  return (
    hasAll(rule.verbs, atom.verbs) &&
    hasAll(rule.apiGroups, atom.apiGroups) &&
    atom.resources.every(
      (each) =>
        hasAll(rule.resources, [each]) ||
        rule.resources.includes(each.replace(/^[^/]+(?=\/)/, '*')),
    ) &&
    atom.nonResourceURLs.every((path) =>
      rule.nonResourceURLs.some((url) => coversPath(url, path)),
    ) &&
    coversNames
  )
}

const hasNames = (rule: Rule, atom: Atom): boolean =>
  atom.resourceNames.every((name) => rule.resourceNames.includes(name))

/** Merges the verbs of each resource into one rule. Paths stay separate. */
function compacted(atoms: readonly Atom[]): Rule[] {
  const merged = new Map<string, Rule>()
  const paths: Rule[] = []
  for (const atom of atoms) {
    const key = JSON.stringify([atom.apiGroups, atom.resources, atom.resourceNames])
    const known = merged.get(key)
    if (atom.nonResourceURLs.length > 0) paths.push(atom)
    else merged.set(key, { ...atom, verbs: [...new Set([...(known?.verbs ?? []), ...atom.verbs])] })
  }
  return [...merged.values(), ...paths]
}

const labels = [
  ['APIGroups', 'apiGroups'],
  ['Resources', 'resources'],
  ['NonResourceURLs', 'nonResourceURLs'],
  ['ResourceNames', 'resourceNames'],
  ['Verbs', 'verbs'],
] as const

function textOf(rule: Rule): string {
  const parts = labels
    .filter(([, part]) => rule[part].length > 0)
    .map(([label, part]) => `${label}:${quoted(rule[part])}`)
  return `{${parts.join(', ')}}`
}

/** Formats a list of strings as Go does. */
export const quoted = (list: readonly string[]): string =>
  `[${list.map((each) => JSON.stringify(each)).join(' ')}]`
