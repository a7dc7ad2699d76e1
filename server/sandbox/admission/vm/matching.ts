import { type Cause } from '../../objects/cause.ts'
import { type WebhookRequest } from '../../objects/resource.ts'
import { type Json, type JsonMap, type KubeObject } from '../../objects/types.ts'
import { read } from '../../objects/read.ts'
import { type Matcher, findMatched } from '../../instancetypes/find.ts'
import { type Inferred, inferredFrom } from '../../instancetypes/infer.ts'
import { cause, denyIfAny, unreadable } from '../refusals.ts'
import { setUnset, within } from '../../objects/vms/draft.ts'
import { causesWhere } from './rules/rule.ts'

const matchers: readonly Matcher[] = ['instancetype', 'preference']

/**
 * Validates a VM's instance type and preference matchers and infers them from a volume's labels.
 * Then it copies the settings of the preference that must be in the VM itself.
 */
export function resolveMatchers(request: WebhookRequest, draft: KubeObject, webhook: string): void {
  const { old } = request
  const spec = within(draft, 'spec')
  if (old)
    for (const matcher of matchers)
      denyIfAny(webhook, renamedCauses(matcher, read.spec(old)[matcher], spec[matcher]))
  for (const matcher of matchers)
    denyIfAny(
      webhook,
      spec[matcher] === undefined ? [] : namedCauses(matcher, read.map(spec[matcher])),
    )
  for (const matcher of matchers) {
    const why = inferMatcher(request, draft, matcher)
    if (why !== null) throw unreadable(webhook, why)
  }
  const preference = findMatched(request, draft, 'preference')
  if (preference && 'spec' in preference) copyPreferred(spec, preference.spec)
}

const classes: Record<Matcher, string> = {
  instancetype: 'InstancetypeMatcher',
  preference: 'PreferenceMatcher',
}

function namedCauses(
  matcher: Matcher,
  { name, kind, inferFromVolume, inferFromVolumeFailurePolicy: policy }: JsonMap,
): Cause[] {
  const at = `spec.${matcher}`
  const [isNamed, isInferred] = [read.text(name) !== '', read.text(inferFromVolume) !== '']
  const either = `Either Name or InferFromVolume should be provided within the ${classes[matcher]}`
  const cleared = (what: string): string =>
    `${what} already set, should be cleared before setting inferFromVolume`
  return causesWhere(
    [!isNamed && !isInferred, cause.absent(at, either)],
    [isInferred && isNamed, cause.unsupported(`${at}.name`, cleared('Name'))],
    [isInferred && read.text(kind) !== '', cause.unsupported(`${at}.kind`, cleared('Kind'))],
    [
      policy !== undefined && policy !== 'Ignore' && policy !== 'Reject',
      cause.wrong(
        `${at}.inferFromVolumeFailurePolicy`,
        `Invalid value '${read.text(policy)}' for InferFromVolumeFailurePolicy`,
      ),
    ],
  )
}

/** A matcher with a new name must not keep the revision of the old one. */
function renamedCauses(matcher: Matcher, old: Json | undefined, next: Json | undefined): Cause[] {
  const before = read.map(old)
  const after = read.map(next)
  const revision = read.text(after.revisionName)
  const isStale =
    revision !== '' &&
    before.name !== undefined &&
    before.name !== after.name &&
    before.revisionName === revision
  const message = 'the Matcher Name has been updated without updating the RevisionName'
  return causesWhere([isStale, cause.wrong(`spec.${matcher}.revisionName`, message)])
}

/** Replaces `inferFromVolume` by the inferred name. Returns the reason when it cannot, or null. */
function inferMatcher(request: WebhookRequest, draft: KubeObject, matcher: Matcher): string | null {
  const spec = within(draft, 'spec')
  const { inferFromVolume, inferFromVolumeFailurePolicy } = read.map(spec[matcher])
  if (read.text(inferFromVolume) === '') return null
  const isIgnorable = inferFromVolumeFailurePolicy === 'Ignore'
  const inferred: Inferred = inferredFrom(request, draft, {
    volume: read.text(inferFromVolume),
    matcher,
  })
  if ('why' in inferred) {
    if (!isIgnorable || !inferred.ignorable) return inferred.why
    spec[matcher] = undefined
    return null
  }
  if (matcher === 'instancetype' && isIgnorable)
    delete within(spec, 'template', 'spec', 'domain').memory
  spec[matcher] =
    inferred.kind === '' ? { name: inferred.name } : { name: inferred.name, kind: inferred.kind }
  return null
}

/** The machine type and the storage class must be in the VM before KubeVirt creates its objects. */
function copyPreferred(spec: JsonMap, preference: JsonMap): void {
  const template = within(spec, 'template', 'spec')
  setUnset(template, { architecture: preference.preferredArchitecture || undefined })
  const type = read.text(read.at(preference.machine, 'preferredMachineType'))
  if (type !== '') setUnset(within(template, 'domain', 'machine'), { type })
  const storageClassName = read.text(read.at(preference.volumes, 'preferredStorageClassName'))
  if (storageClassName === '') return
  for (const each of read.maps(spec.dataVolumeTemplates)) {
    for (const key of ['pvc', 'storage']) {
      const target = read.at(each.spec, key)
      if (target !== undefined) setUnset(read.map(target), { storageClassName })
    }
  }
}

const architectures = ['amd64', 'arm64', 's390x']

/** Returns the architecture from the labels of a DataSource of the VM, if one has it. */
export function architectureOf({ get }: WebhookRequest, vm: KubeObject): string | undefined {
  for (const { spec } of read.maps(read.spec(vm).dataVolumeTemplates)) {
    const { kind, name, namespace } = read.map(read.at(spec, 'sourceRef'))
    if (read.text(kind).toLowerCase() !== 'datasource') continue
    const source = get(
      'datasources.cdi.kubevirt.io',
      read.text(namespace) || vm.metadata.namespace,
      read.text(name),
    )
    const architecture = source?.metadata.labels?.['template.kubevirt.io/architecture'] ?? ''
    if (architectures.includes(architecture)) return architecture
  }
  return undefined
}
