import { isDeepStrictEqual } from 'node:util'
import { type Cause, causes, choice, problems } from '../../objects/cause.ts'
import { formats } from '../../objects/formats.ts'
import { selectorCauses } from '../../objects/selector-causes.ts'
import { type KindHooks } from '../../objects/resource.ts'
import { dig } from '../../objects/dig.ts'
import { type Json, type JsonMap, type KubeObject, isMap } from '../../objects/types.ts'

const group = 'rbac.authorization.k8s.io'

/** Hooks for roles. Only a cluster role may have non-resource URLs. */
const roleHooks = (where: { namespaced: boolean }): KindHooks => ({
  // The API server writes `rules: null` for a role without rules.
  normalise: (object) => ({ ...object, rules: object.rules ?? null }),
  validate: (object) => [
    ...dig.list(object, 'rules').flatMap((rule, at) => ruleCauses(rule, `rules[${at}]`, where)),
    ...aggregationCauses(object),
  ],
})

/** An aggregated cluster role selects the cluster roles whose rules it collects. */
function aggregationCauses(object: KubeObject): Cause[] {
  if (object.aggregationRule === undefined) return []
  const field = 'aggregationRule.clusterRoleSelectors'
  const selectors = dig.list(object, field)
  const why = 'at least one clusterRoleSelector required if aggregationRule is non-nil'
  if (selectors.length === 0) return [causes.required(field, why)]
  return selectors.flatMap((selector, at) => {
    const wrong = selectorCauses(`${field}[${at}]`, selector)
    const whole = causes.invalid(`${field}[${at}]`, null, 'invalid label selector.')
    return wrong.length > 0 ? [...wrong, whole] : []
  })
}

function ruleCauses(rule: Json, field: string, { namespaced }: { namespaced: boolean }): Cause[] {
  const has = (part: string): boolean => dig.list(rule, part).length > 0
  const verbs = has('verbs')
    ? []
    : [causes.required(`${field}.verbs`, 'verbs must contain at least one value')]
  if (has('nonResourceURLs')) {
    const url = (why: string): Cause =>
      causes.invalid(`${field}.nonResourceURLs`, dig.list(rule, 'nonResourceURLs'), why)
    const mixed = ['apiGroups', 'resources', 'resourceNames'].some(has)
    return [
      ...verbs,
      ...(namespaced ? [url('namespaced rules cannot apply to non-resource URLs')] : []),
      ...(mixed ? [url('rules cannot apply to both regular resources and non-resource URLs')] : []),
    ]
  }
  return [
    ...verbs,
    ...(has('apiGroups')
      ? []
      : [
          causes.required(
            `${field}.apiGroups`,
            'resource rules must supply at least one api group',
          ),
        ]),
    ...(has('resources')
      ? []
      : [
          causes.required(`${field}.resources`, 'resource rules must supply at least one resource'),
        ]),
  ]
}

/** Hooks for bindings. The `roleRef` is immutable, the subjects are not. */
const bindingHooks = (where: { namespaced: boolean }): KindHooks => ({
  normalise: withGroups,
  validate: (object, old) => [
    ...roleRefCauses(object, where),
    ...dig
      .list(object, 'subjects')
      .flatMap((subject, at) => subjectCauses(subject, `subjects[${at}]`, where)),
    ...(old ? changeCauses(object, old) : []),
  ],
})

/** Users, groups and roles default to the RBAC group. Service accounts are in the core group. */
function withGroups(object: KubeObject): KubeObject {
  const roleRef = dig.map(object, 'roleRef')
  const subjects = dig.list(object, 'subjects').filter(isMap)
  const named = (subject: JsonMap): JsonMap =>
    ['User', 'Group'].includes(String(subject.kind)) && dig.text(subject, 'apiGroup') === ''
      ? { ...subject, apiGroup: group }
      : subject
  return {
    ...object,
    roleRef: { ...roleRef, apiGroup: dig.text(roleRef, 'apiGroup') || group },
    ...(subjects.length > 0 ? { subjects: subjects.map(named) } : {}),
  }
}

function roleRefCauses({ roleRef }: KubeObject, { namespaced }: { namespaced: boolean }): Cause[] {
  const name = dig.text(roleRef, 'name')
  const wrong = ['/', '%']
    .filter((part) => name.includes(part))
    .map((part) => causes.invalid('roleRef.name', name, `may not contain '${part}'`))
  return [
    ...choice('roleRef.apiGroup', dig.text(roleRef, 'apiGroup'), [group]),
    ...choice(
      'roleRef.kind',
      dig.text(roleRef, 'kind'),
      namespaced ? ['Role', 'ClusterRole'] : ['ClusterRole'],
    ),
    ...(name === '' ? [causes.required('roleRef.name')] : wrong),
  ]
}

function subjectNameCauses(field: string, name: string, isAccount: boolean): Cause[] {
  if (name === '') return [causes.required(field)]
  return isAccount ? problems(field, name, formats.subdomain(name)) : []
}

function subjectCauses(
  subject: Json,
  field: string,
  { namespaced }: { namespaced: boolean },
): Cause[] {
  const [kind, apiGroup] = [dig.text(subject, 'kind'), dig.text(subject, 'apiGroup')]
  const name = dig.text(subject, 'name')
  const isAccount = kind === 'ServiceAccount'
  const isKnown = isAccount || kind === 'User' || kind === 'Group'
  const lacksNamespace = isAccount && !namespaced && dig.text(subject, 'namespace') === ''
  return [
    ...subjectNameCauses(`${field}.name`, name, isAccount),
    ...(isKnown
      ? choice(`${field}.apiGroup`, apiGroup, isAccount ? [''] : [group])
      : choice(`${field}.kind`, kind, ['ServiceAccount', 'User', 'Group'])),
    ...(lacksNamespace ? [causes.required(`${field}.namespace`)] : []),
  ]
}

function changeCauses({ roleRef }: KubeObject, old: KubeObject): Cause[] {
  if (isDeepStrictEqual(roleRef, old.roleRef)) return []
  const part = (name: string): string => dig.text(roleRef, name)
  return [
    causes.invalid(
      'roleRef',
      { APIGroup: part('apiGroup'), Kind: part('kind'), Name: part('name') },
      'cannot change roleRef',
    ),
  ]
}

/** The API server's own rules for roles and bindings. */
export const rbacHooks = {
  role: roleHooks({ namespaced: true }),
  clusterRole: roleHooks({ namespaced: false }),
  binding: bindingHooks({ namespaced: true }),
  clusterBinding: bindingHooks({ namespaced: false }),
}
