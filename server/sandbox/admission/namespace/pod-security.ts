import { type WebhookRequest } from '../../objects/resource.ts'
import { refuse } from '../../objects/status.ts'
import { type JsonMap } from '../../objects/types.ts'
import { read } from '../../objects/read.ts'

const enforce = 'pod-security.kubernetes.io/enforce'

/** Refuses pods that violate the Pod Security level which the namespace enforces. */
export function mustBeSecure({ resource, object, old, get }: WebhookRequest): void {
  if (old || resource.group !== '' || resource.plural !== 'pods') return
  const labels =
    get('namespaces', undefined, object.metadata.namespace ?? '')?.metadata.labels ?? {}
  const violations = (levels[labels[enforce] ?? ''] ?? []).flatMap((check) =>
    check(read.spec(object)),
  )
  if (violations.length > 0)
    throw refuse.forbidden(resource, object.metadata.name, {
      text: `${violated(labels)}: ${violations.join(', ')}`,
    })
}

const violated = (labels: Record<string, string>): string =>
  `violates PodSecurity "${labels[enforce]}:${labels[`${enforce}-version`] ?? 'latest'}"`

const levels: Readonly<Record<string, ((spec: JsonMap) => string[])[]>> = {
  baseline: [baseline],
  restricted: [baseline, restricted],
}

const containersOf = (spec: JsonMap): JsonMap[] => [
  ...read.maps(spec.containers),
  ...read.maps(spec.initContainers),
]

/** The subject of a message: the containers that match, or null when none does. */
function named(
  spec: JsonMap,
  isSo: (context: JsonMap, container: JsonMap) => boolean,
): string | null {
  const names = containersOf(spec)
    .filter((each) => isSo(read.map(each.securityContext), each))
    .map(({ name }) => `"${String(name)}"`)
  return names.length === 0 ? null : `container${names.length > 1 ? 's' : ''} ${names.join(', ')}`
}

const allowed = [
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
]

function baseline(spec: JsonMap): string[] {
  const shared = ['hostNetwork', 'hostPID', 'hostIPC'].filter((name) => spec[name] === true)
  const adding = named(spec, ({ capabilities }) =>
    read.texts(read.map(capabilities).add).some((each) => !allowed.includes(each)),
  )
  const hostPaths = read
    .maps(spec.volumes)
    .filter(({ hostPath }) => hostPath !== undefined)
    .map(({ name }) => `"${String(name)}"`)
  const ports = named(spec, (_context, { ports: all }) =>
    read.maps(all).some(({ hostPort }) => typeof hostPort === 'number' && hostPort !== 0),
  )
  const privileged = named(spec, (context) => context.privileged === true)
  return [
    ...(shared.length > 0
      ? [`host namespaces (${shared.map((name) => `${name}=true`).join(', ')})`]
      : []),
    ...(adding
      ? [
          `non-default capabilities (${adding} must not include capabilities beyond the default set in securityContext.capabilities.add)`,
        ]
      : []),
    ...(hostPaths.length > 0
      ? [`hostPath volumes (volume${hostPaths.length > 1 ? 's' : ''} ${hostPaths.join(', ')})`]
      : []),
    ...(ports ? [`hostPort (${ports} uses hostPort)`] : []),
    ...(privileged
      ? [`privileged (${privileged} must not set securityContext.privileged=true)`]
      : []),
  ]
}

function restricted(spec: JsonMap): string[] {
  const ofPod = read.map(spec.securityContext)
  const escalating = named(spec, (context) => context.allowPrivilegeEscalation !== false)
  const capable = named(
    spec,
    ({ capabilities }) => !read.texts(read.map(capabilities).drop).includes('ALL'),
  )
  const asRoot = named(spec, (context) => (context.runAsNonRoot ?? ofPod.runAsNonRoot) !== true)
  const isProfiled = (context: JsonMap): boolean =>
    ['RuntimeDefault', 'Localhost'].includes(read.text(read.at(context, 'seccompProfile', 'type')))
  const unprofiled = named(spec, (context) => !isProfiled(context) && !isProfiled(ofPod))
  return [
    ...(escalating
      ? [
          `allowPrivilegeEscalation != false (${escalating} must set securityContext.allowPrivilegeEscalation=false)`,
        ]
      : []),
    ...(capable
      ? [
          `unrestricted capabilities (${capable} must set securityContext.capabilities.drop=["ALL"])`,
        ]
      : []),
    ...(asRoot
      ? [`runAsNonRoot != true (pod or ${asRoot} must set securityContext.runAsNonRoot=true)`]
      : []),
    ...(unprofiled
      ? [
          `seccompProfile (pod or ${unprofiled} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")`,
        ]
      : []),
  ]
}
