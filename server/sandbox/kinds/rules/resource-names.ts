import { type Cause, causes, problems } from '../../objects/cause.ts'
import { formats } from '../../objects/formats.ts'

/* Names of resources in quotas and limits: standard names, or names with a domain. */

const container = ['cpu', 'memory', 'ephemeral-storage']
const counted = [
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
]
const quota = [
  ...container,
  ...container.flatMap((name) => [`requests.${name}`, `limits.${name}`]),
  ...counted,
  'requests.storage',
]
const standard = [...quota, 'storage']

const isHugePages = (name: string): boolean => /^(requests\.)?hugepages-/.test(name)

const nameCauses = (field: string, name: string, isStandard: boolean): Cause[] => {
  const wrong = problems(field, name, formats.qualifiedName(name))
  if (wrong.length > 0 || name.includes('/') || isStandard || isHugePages(name)) return wrong
  return [causes.invalid(field, name, 'must be a standard resource type or fully qualified')]
}

const unlessIn = (
  names: readonly string[],
  { field, name, why }: { field: string; name: string; why: string },
): Cause[] =>
  name.includes('/') || names.includes(name) || isHugePages(name)
    ? []
    : [causes.invalid(field, name, why)]

export const resourceNames = {
  /** Any resource. */
  any: (field: string, name: string): Cause[] => nameCauses(field, name, standard.includes(name)),
  /** A resource of containers. */
  container: (field: string, name: string): Cause[] => [
    ...resourceNames.any(field, name),
    ...unlessIn(container, { field, name, why: 'must be a standard resource for containers' }),
  ],
  /** A resource of a quota. */
  quota: (field: string, name: string): Cause[] => [
    ...resourceNames.any(field, name),
    ...unlessIn(quota, { field, name, why: 'must be a standard resource for quota' }),
  ],
  isOfQuota: (name: string): boolean => quota.includes(name) || isHugePages(name),
  /** True when the resource is counted, so that it has no fractions. */
  isCounted: (name: string): boolean =>
    counted.includes(name) || (name.includes('/') && !/kubernetes\.io\//.test(name)),
  /** True when a container may be promised more than its node has. */
  isShared: (name: string): boolean => !name.includes('/') && !isHugePages(name),
}
