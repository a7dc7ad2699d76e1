export const componentNames = [
  'kube-ovn',
  'multi-network-policy',
  'nmstate',
  'ovn-kubernetes',
] as const
/** An optional component of the cluster. */
export type ComponentName = (typeof componentNames)[number]

/** Returns the named components in a fixed order. Throws RangeError for an unknown name. */
export function componentsNamed(names: readonly string[]): ComponentName[] {
  const unknown = names.find((name) => !componentNames.some((each) => each === name))
  if (unknown !== undefined)
    throw new RangeError(
      `component ${unknown} does not exist; the components are ${componentNames.join(', ')}`,
    )
  return componentNames.filter((name) => names.includes(name))
}
