import { type Json, type KubeObject, isMap } from '../../objects/types.ts'
import * as column from './column.ts'
import { type Column, common } from './column.ts'
import { labelText } from './core.ts'
import { dig } from '../../objects/dig.ts'

const { integer, text, wide } = column

const subjectNames =
  (kind: string) =>
  (binding: KubeObject): string =>
    dig
      .list(binding, 'subjects')
      .filter((each) => dig.text(each, 'kind') === kind)
      .map((each) =>
        kind === 'ServiceAccount'
          ? `${dig.text(each, 'namespace')}/${dig.text(each, 'name')}`
          : dig.text(each, 'name'),
      )
      .join(', ')

const bindings: readonly Column[] = [
  common.name,
  text(
    'Role',
    'Granted role.',
    (binding) => `${dig.text(binding, 'roleRef.kind')}/${dig.text(binding, 'roleRef.name')}`,
  ),
  common.age,
  wide(text('Users', 'Users with the role.', subjectNames('User'))),
  wide(text('Groups', 'Groups with the role.', subjectNames('Group'))),
  wide(text('ServiceAccounts', 'Service accounts with the role.', subjectNames('ServiceAccount'))),
]

const operators: Readonly<Record<string, (key: string, values: string) => string>> = {
  In: (key, values) => `${key} in (${values})`,
  NotIn: (key, values) => `${key} notin (${values})`,
  Exists: (key) => key,
  DoesNotExist: (key) => `!${key}`,
}

function selectorText(selector: Json | undefined): string {
  const labels = dig.map(selector, 'matchLabels')
  const expressions = dig.list(selector, 'matchExpressions').map((each) => {
    const format = operators[dig.text(each, 'operator')]
    return format?.(dig.text(each, 'key'), dig.texts(each, 'values').sort().join(',')) ?? ''
  })
  const parts = [...(Object.keys(labels).length > 0 ? [labelText(labels)] : []), ...expressions]
  return parts.join(',') || '<none>'
}

function few(texts: readonly string[]): string {
  const more = texts.length > 3 ? ` + ${texts.length - 3} more...` : ''
  return texts.slice(0, 3).join(',') + more
}

const slices: readonly Column[] = [
  common.name,
  text('AddressType', 'Kind of the addresses.', (slice) => dig.text(slice, 'addressType')),
  text(
    'Ports',
    'Ports behind the addresses.',
    (slice) =>
      few(dig.list(slice, 'ports').map((port) => String(dig.any(port, 'port') ?? '*'))) ||
      '<unset>',
  ),
  text(
    'Endpoints',
    'Addresses that receive the requests.',
    (slice) =>
      few(dig.list(slice, 'endpoints').flatMap((each) => dig.texts(each, 'addresses'))) ||
      '<unset>',
  ),
  common.age,
]

const revisions: readonly Column[] = [
  common.name,
  text('Controller', 'Owner of the revision.', ({ metadata }) => {
    const owner = metadata.ownerReferences?.find((each) => each.controller === true)
    if (!owner) return '<none>'
    const [group] = owner.apiVersion.split('/')
    return `${owner.kind.toLowerCase()}${owner.apiVersion.includes('/') ? `.${group}` : ''}/${owner.name}`
  }),
  text('Revision', 'Number of the revision.', (each) => dig.number(each, 'revision')),
  common.age,
]

const policies: readonly Column[] = [
  common.name,
  integer(
    'Validations',
    'Number of rules of the policy.',
    (policy) => dig.list(policy, 'spec.validations').length,
  ),
  text('ParamKind', 'Kind of the parameters.', (policy) => {
    const kind = dig.any(policy, 'spec.paramKind')
    return kind === undefined
      ? '<unset>'
      : `${dig.text(kind, 'apiVersion')}/${dig.text(kind, 'kind')}`
  }),
  common.age,
]

const policyBindings: readonly Column[] = [
  common.name,
  text('PolicyName', 'Bound policy.', (binding) => dig.text(binding, 'spec.policyName')),
  text('ParamRef', 'Parameters of the policy.', (binding) => {
    const parameters = dig.any(binding, 'spec.paramRef')
    if (!isMap(parameters)) return '<unset>'
    const { namespace, name, selector } = parameters
    if (name === undefined) return selectorText(selector)
    return namespace === undefined ? `*/${String(name)}` : `${String(namespace)}/${String(name)}`
  }),
  common.age,
]

/**
 * The columns that kubectl shows for kinds around workloads, such as role bindings, network
 * policies and leases, by the name of the resource.
 */
export const platformColumns: Readonly<Record<string, readonly Column[]>> = {
  'rolebindings.rbac.authorization.k8s.io': bindings,
  'clusterrolebindings.rbac.authorization.k8s.io': bindings,
  'networkpolicies.networking.k8s.io': [
    common.name,
    text('Pod-Selector', 'Pods that the policy selects.', (policy) =>
      selectorText(dig.any(policy, 'spec.podSelector')),
    ),
    common.age,
  ],
  'leases.coordination.k8s.io': [
    common.name,
    text('Holder', 'Holder of the lease.', (lease) => dig.text(lease, 'spec.holderIdentity')),
    common.age,
  ],
  'endpointslices.discovery.k8s.io': slices,
  'controllerrevisions.apps': revisions,
  'validatingadmissionpolicies.admissionregistration.k8s.io': policies,
  'validatingadmissionpolicybindings.admissionregistration.k8s.io': policyBindings,
}
