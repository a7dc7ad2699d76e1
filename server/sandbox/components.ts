export const componentNames = [
  'kube-ovn',
  'multi-network-policy',
  'nmstate',
  'ovn-kubernetes',
] as const
/** A component that a cluster may have beside what every cluster has. */
export type ComponentName = (typeof componentNames)[number]

/** The components of that name, in one order; refuses a name that no component has. */
export function componentsNamed(names: readonly string[]): ComponentName[] {
  const unknown = names.find((name) => !componentNames.some((each) => each === name))
  if (unknown !== undefined)
    throw new RangeError(
      `there is no component ${unknown}; the components are ${componentNames.join(', ')}`,
    )
  return componentNames.filter((name) => names.includes(name))
}
