import { type Fault } from '../../engine/model/fault.ts'
import { invalid } from '../../engine/model/name.ts'
import { type HostRules, hostProblem } from './image-host.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

export const imagePullPolicies = ['Always', 'IfNotPresent'] as const
export type ImagePullPolicy = (typeof imagePullPolicies)[number]

/** The import rules of the operator; see `import` in the configuration. */
export interface ImportRules extends HostRules {
  readonly allowHttp: boolean
  /** Registries, or parts of them, that container disks may be in. Empty allows all. */
  readonly allowedRegistries: readonly string[]
  /** When nodes pull the container disks of new VMs. */
  readonly imagePullPolicy: ImagePullPolicy
}

const ports = ['', '80', '443', '8080', '8443']
const maxUrlLength = 2048

/**
 * Validates an image URL against the hosts that tenants must not reach, and returns it normalized.
 */
export function requireImageUrl(text: string, rules: ImportRules, path = 'image'): string {
  const url = parsedUrl(text, path)
  const problem = urlProblem(url, rules) ?? hostProblem(url.hostname, rules)
  if (problem) throw invalid(path, problem)
  return url.href
}

// Parsers disagree on spaces, control characters and backslashes, and the importer uses a different
// parser than this check.
const plainUrl = /^[a-z][a-z0-9+.-]*:\/\/(?!\/)[\x21-\x5b\x5d-\x7e]+$/i

function parsedUrl(text: string, path: string): URL {
  const trimmed = text.trim()
  if (trimmed.length > maxUrlLength)
    throw invalid(path, messageOf('field.at_most_characters', { most: maxUrlLength }))
  if (!plainUrl.test(trimmed) || !URL.canParse(trimmed))
    throw invalid(path, messageOf('template.image_url'))
  return new URL(trimmed)
}

function urlProblem(url: URL, { allowHttp, allowPrivate }: ImportRules): Message | null {
  if (url.protocol !== 'https:' && !(allowHttp && url.protocol === 'http:'))
    return messageOf(allowHttp ? 'template.image_http' : 'template.image_https')
  if (url.username !== '' || url.password !== '') return messageOf('template.image_credentials')
  if (url.href.includes('#')) return messageOf('template.image_fragment')
  return allowPrivate || ports.includes(url.port) ? null : messageOf('template.image_port')
}

const component = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*'
const reference = new RegExp(
  `^${component}(?:/${component})*(?::[A-Za-z0-9_][A-Za-z0-9_.-]{0,127})?(?:@sha256:[0-9a-f]{64})?$`,
)
const withRegistry = /^((?:[a-zA-Z0-9][a-zA-Z0-9.-]*|\[[0-9a-fA-F:.]+\])(?::\d{1,5})?)\/(.+)$/
const maxReferenceLength = 255

/** Validates the reference of a container disk, such as quay.io/containerdisks/fedora:40. */
export function requireImageReference(text: string, rules: ImportRules, path = 'image'): string {
  const image = text.trim()
  if (image === '') throw invalid(path, messageOf('field.empty'))
  if (/^https?:/i.test(image)) {
    throw invalid(path, messageOf('template.container_url'))
  }
  const { registry, name } = partsOf(image)
  if (image.length > maxReferenceLength || !reference.test(name)) throw notAReference(path)
  const problem = registry === null ? null : registryProblem(registry, { rules, path })
  if (problem) throw invalid(path, problem)
  if (!isRegistryAllowed(image, rules))
    throw invalid(
      path,
      messageOf('template.registry_not_listed', { registries: rules.allowedRegistries.join(', ') }),
    )
  return image
}

function registryProblem(
  registry: string,
  { rules, path }: { rules: ImportRules; path: string },
): Message | null {
  const host = hostIn(registry)
  if (host === null) throw notAReference(path)
  return hostProblem(host, { ...rules, allowedHosts: [] })
}

/** The registry of references that name none. */
const defaultRegistry = 'docker.io'

/** True when the operator allows container disks from the registry of this reference. */
export function isRegistryAllowed(
  image: string,
  { allowedRegistries }: Pick<ImportRules, 'allowedRegistries'>,
): boolean {
  if (allowedRegistries.length === 0) return true
  const repository = repositoryOf(image)
  return allowedRegistries.some(
    (allowed) => repository === allowed || repository.startsWith(`${allowed}/`),
  )
}

/** Returns the full repository of a reference, without tag and digest. */
function repositoryOf(image: string): string {
  const { registry, name } = partsOf(image)
  const [path = ''] = name.split(/[:@]/)
  if (registry !== null) return `${registry.toLowerCase()}/${path}`
  return `${defaultRegistry}/${path.includes('/') ? path : `library/${path}`}`
}

const notAReference = (path: string): Fault =>
  invalid(path, messageOf('template.container_reference', { most: maxReferenceLength }))

/**
 * Splits a reference. The first part is a registry when it has a dot or a port, or is localhost.
 */
function partsOf(image: string): { registry: string | null; name: string } {
  const [, registry = '', name = ''] = withRegistry.exec(image) ?? []
  const isHost = /[.:]/.test(registry) || registry.toLowerCase() === 'localhost'
  return isHost ? { registry, name } : { registry: null, name: image }
}

/** Returns the host in its URL form, so that other spellings of an address are recognized. */
function hostIn(registry: string): string | null {
  const url = `https://${registry}/`
  return URL.canParse(url) ? new URL(url).hostname : null
}
