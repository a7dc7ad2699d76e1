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
 * Who may do what: the roles and bindings in the store, and nothing else. What somebody is granted
 * is worked out once and kept until any of them changes, so that a check costs no more than a walk
 * over a few rules; an administrator not even that.
 */
export interface Verdict {
  allowed: boolean
  /**
   * By which binding; or what kept bindings from counting. Not told to those who may do everything.
   */
  reason?: string
}

/** What one binding gives to somebody; nothing when its role is gone. */
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

/** So many people are remembered at once. */
const rememberedAtMost = 2000

export class Authority {
  readonly #store: Store
  /** Bindings by namespace, the cluster's under an empty name, and by whom they name. */
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

  verdict(who: Identity, asked: Attributes): Verdict {
    if (who.groups.includes(masters)) return { allowed: true }
    const grants = this.#grantsOf(who, 'path' in asked ? '' : asked.namespace)
    const grant = grants.find(({ rules }) => rules.some((rule) => allows(rule, asked)))
    if (grant) return { allowed: true, reason: `RBAC: allowed by ${grant.source}` }
    const missing = missingIn(grants)
    return missing === '' ? { allowed: false } : { allowed: false, reason: `RBAC: ${missing}` }
  }

  /**
   * Everything that somebody was granted in a namespace and in the cluster, and which roles were
   * not to be found.
   */
  rulesFor(who: Identity, namespace: string): { rules: Rule[]; missing: string } {
    const grants = this.#grantsOf(who, namespace)
    return { rules: grants.flatMap(({ rules }) => rules), missing: missingIn(grants) }
  }

  #grantsOf({ name, groups }: Identity, namespace: string): readonly Grant[] {
    const key = JSON.stringify([namespace, name, groups])
    const known = this.#grants.get(key)
    if (known) return known
    const names = [`User ${name}`, ...groups.map((group) => `Group ${group}`)]
    const bound = [
      ...this.#boundIn('', names),
      ...(namespace === '' ? [] : this.#boundIn(namespace, names)),
    ]
    const grants = bound.map((each) => this.#grant(each))
    if (this.#grants.size >= rememberedAtMost) this.#grants.clear()
    this.#grants.set(key, grants)
    return grants
  }

  /** The bindings that name somebody, in the order in which they were written, each once. */
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

  /** The role that a binding refers to; undefined when there is none. */
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
 * A service account is found by the name of its user; one without a namespace is of the binding's.
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

const authorities = new WeakMap<Store, Authority>()

/** The one authority of a store. */
export function authorityOf(store: Store): Authority {
  const authority = authorities.get(store) ?? new Authority(store)
  authorities.set(store, authority)
  return authority
}
