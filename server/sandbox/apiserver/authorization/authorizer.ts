import { accountUser } from '../authentication/account.ts'
import { type Identity, masters } from '../../objects/identity.ts'
import { registry } from '../../kinds/registry.ts'
import { type Resource } from '../../objects/resource.ts'
import { type Store } from '../storage/store.ts'
import { dig } from '../../objects/dig.ts'
import { type Json, type KubeObject } from '../../objects/types.ts'
import { type Attributes } from './attributes.ts'
import { type Rule, allows, rulesOf } from './rules.ts'

/*
 * Decides requests by the roles and bindings in the store. The grants of a user are computed once
 * and cached until a role or binding changes. A check therefore only walks over a few rules, and
 * for `system:masters` it does not even do that.
 */
export interface Decision {
  allowed: boolean
  /**
   * Names the binding that allows the request, or the missing roles. Absent when there is neither.
   */
  reason?: string
}

/** The rules that one binding grants to a user. They are empty when the role does not exist. */
interface Grant {
  rules: readonly Rule[]
  source: string
  missing?: string
}

interface Bound {
  binding: KubeObject
  subject: string
}

const rbac = (plural: string): Resource => registry.named(`${plural}.rbac.authorization.k8s.io`)
const [roles, roleBindings, clusterRoles] = [
  rbac('roles'),
  rbac('rolebindings'),
  rbac('clusterroles'),
]
const clusterRoleBindings = rbac('clusterrolebindings')

/** Maximum number of cached lists of grants, one for each user and namespace. */
const maxCachedLists = 2000

/** Decides whether a user may send a request, by the RBAC objects in the store. */
export class Authorizer {
  readonly #store: Store
  /** Bindings by namespace and subject. Cluster role bindings have an empty namespace. */
  readonly #bound = new Map<string, Map<string, Bound[]>>()
  readonly #grants = new Map<string, readonly Grant[]>()

  constructor(store: Store) {
    this.#store = store
    for (const kind of [roles, roleBindings, clusterRoles, clusterRoleBindings]) {
      store.subscribe(kind, ({ object }) => {
        this.#grants.clear()
        if (kind === roleBindings || kind === clusterRoleBindings)
          this.#bound.delete(object.metadata.namespace ?? '')
      })
    }
  }

  decide(user: Identity, attributes: Attributes): Decision {
    if (user.groups.includes(masters)) return { allowed: true }
    const grants = this.#grantsOf(user, 'path' in attributes ? '' : attributes.namespace)
    const grant = grants.find(({ rules }) => rules.some((rule) => allows(rule, attributes)))
    if (grant) return { allowed: true, reason: `RBAC: allowed by ${grant.source}` }
    const missing = missingIn(grants)
    return missing === '' ? { allowed: false } : { allowed: false, reason: `RBAC: ${missing}` }
  }

  /**
   * Returns all rules of a user in a namespace and in the cluster, and the names of missing roles.
   */
  rulesFor(user: Identity, namespace: string): { rules: Rule[]; missing: string } {
    const grants = this.#grantsOf(user, namespace)
    return { rules: grants.flatMap(({ rules }) => rules), missing: missingIn(grants) }
  }

  #grantsOf({ name, groups }: Identity, namespace: string): readonly Grant[] {
    const key = JSON.stringify([namespace, name, groups])
    const cached = this.#grants.get(key)
    if (cached) return cached
    const names = [`User ${name}`, ...groups.map((group) => `Group ${group}`)]
    const bound = [
      ...this.#boundIn('', names),
      ...(namespace === '' ? [] : this.#boundIn(namespace, names)),
    ]
    const grants = bound.map((each) => this.#grant(each))
    if (this.#grants.size >= maxCachedLists) this.#grants.clear()
    this.#grants.set(key, grants)
    return grants
  }

  /** Returns each binding of these subjects once, ordered by resourceVersion. */
  #boundIn(namespace: string, names: readonly string[]): Bound[] {
    const index = this.#bound.get(namespace) ?? this.#indexOf(namespace)
    const found = new Map<KubeObject, Bound>()
    for (const each of names.flatMap((name) => index.get(name) ?? []))
      if (!found.has(each.binding)) found.set(each.binding, each)
    return [...found.values()].sort((a, b) => versionOf(a.binding) - versionOf(b.binding))
  }

  #indexOf(namespace: string): Map<string, Bound[]> {
    const index = new Map<string, Bound[]>()
    const bindings =
      namespace === ''
        ? this.#store.list(clusterRoleBindings)
        : this.#store.list(roleBindings, namespace)
    for (const binding of bindings) {
      for (const each of dig.list(binding, 'subjects')) {
        const { key, subject } = subjectIn(each, namespace)
        index.set(key, [...(index.get(key) ?? []), { binding, subject }])
      }
    }
    this.#bound.set(namespace, index)
    return index
  }

  #grant({ binding, subject }: Bound): Grant {
    const { name, namespace } = binding.metadata
    const [kind, roleName] = [dig.text(binding, 'roleRef.kind'), dig.text(binding, 'roleRef.name')]
    const role = this.roleOf(binding)
    const label = namespace === undefined ? name : `${name}/${namespace}`
    const source = `${binding.kind} ${JSON.stringify(label)} of ${kind} ${JSON.stringify(roleName)} to ${subject}`
    if (role) return { rules: rulesOf(role), source }
    return {
      rules: [],
      source,
      missing: `${kind.toLowerCase()}.rbac.authorization.k8s.io "${roleName}" not found`,
    }
  }

  /** Returns the role of a binding. Undefined when it does not exist. */
  roleOf(binding: KubeObject): KubeObject | undefined {
    const [kind, name] = [dig.text(binding, 'roleRef.kind'), dig.text(binding, 'roleRef.name')]
    return kind === 'Role'
      ? this.#store.get(roles, binding.metadata.namespace, name)
      : this.#store.get(clusterRoles, undefined, name)
  }
}

const versionOf = ({ metadata }: KubeObject): number => Number(metadata.resourceVersion)

function missingIn(grants: readonly Grant[]): string {
  const missing = [...new Set(grants.flatMap((grant) => grant.missing ?? []))]
  return missing.length > 1 ? `[${missing.join(', ')}]` : (missing[0] ?? '')
}

/**
 * Returns the index key of a subject. A service account has the key of its user name, and its
 * default namespace is that of the binding.
 */
function subjectIn(each: Json, bindingNamespace: string): { key: string; subject: string } {
  const [kind, name] = [dig.text(each, 'kind'), dig.text(each, 'name')]
  if (kind !== 'ServiceAccount')
    return { key: `${kind} ${name}`, subject: `${kind} ${JSON.stringify(name)}` }
  const namespace = dig.text(each, 'namespace') || bindingNamespace
  return {
    key: `User ${accountUser({ namespace, name })}`,
    subject: `${kind} ${JSON.stringify(`${name}/${namespace}`)}`,
  }
}

const authorizers = new WeakMap<Store, Authorizer>()

/** Returns the authorizer of a store, which is created once. */
export function authorizerOf(store: Store): Authorizer {
  const authorizer = authorizers.get(store) ?? new Authorizer(store)
  authorizers.set(store, authorizer)
  return authorizer
}
