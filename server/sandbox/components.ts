import { parseArgs } from 'node:util'

export const componentNames = [
  'kube-ovn',
  'multi-network-policy',
  'nmstate',
  'ovn-kubernetes',
] as const
export type ComponentName = (typeof componentNames)[number]

/**
 * What is installed in the cluster beside what it always has. The kinds of a cluster are fixed when
 * it starts, so this is read before anything.
 */
export function installedComponents(
  args: readonly string[] = process.argv.slice(2),
): ReadonlySet<ComponentName> {
  const { values } = parseArgs({
    args: [...args],
    strict: false,
    options: { with: { type: 'string', multiple: true } },
  })
  const named = (values.with ?? []).map(String)
  return new Set(componentNames.filter((name) => named.includes(name)))
}
