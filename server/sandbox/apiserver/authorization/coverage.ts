import { type Rule, coversPath } from './rules.ts'

/** A rule with one verb for one resource or path, and one name at most. */
type Atom = Rule

const none: Rule = {
  verbs: [],
  apiGroups: [],
  resources: [],
  resourceNames: [],
  nonResourceURLs: [],
}

/** What the wanted rules allow and the held ones do not, as short sentences of rules in order. */
export function notHeld(held: readonly Rule[], wanted: readonly Rule[]): string[] {
  const missing = wanted.flatMap(atomsOf).filter((atom) => !held.some((rule) => covers(rule, atom)))
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

const hasAll = (held: readonly string[], wanted: readonly string[]): boolean =>
  held.includes('*') || wanted.every((each) => held.includes(each))

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

/** Verbs of the same resource in one rule; paths stay as they are. */
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

/** As Go shows a list of texts. */
export const quoted = (list: readonly string[]): string =>
  `[${list.map((each) => JSON.stringify(each)).join(' ')}]`
