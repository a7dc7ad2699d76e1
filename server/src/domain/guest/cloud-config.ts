import {
  type YAMLMap,
  type YAMLParseError,
  isMap,
  isScalar,
  parseDocument,
  stringify,
  visit,
} from 'yaml'
import { type Message, messageOf } from '../../engine/model/message.ts'
import { mustBeBounded } from './cloud-config-bounds.ts'
import { CloudConfigRefused } from './cloud-config-refused.ts'

/** Settings that a guest reads at its first boot. */
export interface CloudConfigAdditions {
  hostname: string
  sshKeys: readonly string[]
  password: string | null
}

const header = '#cloud-config'
const isCloudConfig = (text: string): boolean => /^#cloud-config(?:\s|$)/.test(text)

/** The beginnings of the other formats that cloud-init and Cloudbase-Init read. */
const otherFormat =
  /^(?:#!|#(?:include|include-once|cloud-boothook|part-handler|cloud-config-archive|cloud-config-jsonp|ps1|ps1_sysnative|ps1_x86)\b|## template:|content-type:|mime-version:|from |rem cmd|<powershell>|<script>)/i

/** Refuses user data that no guest would understand. */
export function mustBeUserData(text: string): void {
  const written = text.trim()
  if (isCloudConfig(written)) settingsIn(written)
  else if (!otherFormat.test(written)) refuse(messageOf('cloud_config.unknown_format'))
}

/**
 * Returns the user data for cloud-init: the user's text, plus the hostname, keys and password that
 * it does not set itself.
 */
export function cloudConfigWith(text: string | null, additions: CloudConfigAdditions): string {
  const written = text?.trim() ?? ''
  // A script, or another format of cloud-init, is passed on unchanged.
  if (written !== '' && !isCloudConfig(written)) {
    if (additions.sshKeys.length > 0 || additions.password !== null) refuseAdditions(written)
    mustBeUserData(written)
    return `${written}\n`
  }
  const settings = { ...ownSettings(additions), ...mergedKeys(settingsIn(written), additions) }
  return textOf(settings)
}

/** Refuses user data to which no keys and no password can be added. */
function refuseAdditions(text: string): never {
  if (otherFormat.test(text)) refuse(messageOf('cloud_config.header_needed'))
  refuse(messageOf('cloud_config.header_missing'))
}

/** The identity of a cloned guest. */
export interface ClonedGuest {
  hostname: string
  renewSystemdId: boolean
  keepHostKeys: boolean
}

/**
 * Returns the user data for a clone. cloud-init treats the clone as a new guest, for which it
 * renews only the host keys by itself.
 */
export function cloudConfigForClone(
  text: string,
  { hostname, renewSystemdId, keepHostKeys }: ClonedGuest,
): string {
  if (!isCloudConfig(text)) refuse(messageOf('cloud_config.no_identity'))
  const written = settingsIn(text)
  const first = renewSystemdId ? [resetIdCommand] : []
  const bootcmd = [...first, ...listIn(written.bootcmd)]
  const adds = {
    hostname,
    ssh_deletekeys: !keepHostKeys,
    ...(bootcmd.length > 0 ? { bootcmd } : {}),
  }
  return textOf({ ...written, ...adds })
}

const textOf = (settings: Record<string, unknown>): string =>
  `${header}\n${stringify(settings, { lineWidth: 0 })}`

const listIn = (value: unknown): unknown[] =>
  Array.isArray(value) ? value.map((each: unknown) => each) : []

const resetIdCommand = [
  'cloud-init-per',
  'instance',
  'machine-id',
  'sh',
  '-c',
  'rm -f /etc/machine-id /var/lib/dbus/machine-id && systemd-machine-id-setup',
]

function settingsIn(text: string): Record<string, unknown> {
  mustBeBounded(text)
  // The check of the library compares each key of a map with each other one.
  const document = parseDocument(text, { uniqueKeys: false })
  const [problem] = document.errors
  if (problem) refuse(yamlRefusal(problem))
  if (document.contents === null) return {}
  if (!isMap(document.contents)) refuse(messageOf('cloud_config.no_settings'))
  visit(document, { Map: (_key, map) => mustHaveUniqueKeys(map) })
  try {
    // A YAML mapping becomes an object.
    return document.toJS() as Record<string, unknown>
  } catch (error) {
    // The library refuses missing anchors, and aliases that would expand without bounds.
    if (error instanceof ReferenceError) refuse(messageOf('cloud_config.aliases'))
    throw error
  }
}

/** The first line of an error ends in a colon when the library shows the refused text below it. */
function yamlRefusal({ code, message }: YAMLParseError): Message {
  if (code === 'MULTIPLE_DOCS') return messageOf('cloud_config.several_documents')
  const [problem = ''] = message.split('\n')
  return messageOf('cloud_config.not_yaml', { problem: problem.replace(/:$/, '') })
}

function mustHaveUniqueKeys({ items }: YAMLMap): void {
  const keys = new Set<unknown>()
  for (const { key } of items) {
    const value = isScalar(key) ? key.value : key
    if (keys.has(value)) refuse(messageOf('cloud_config.key_twice', { key: String(value) }))
    keys.add(value)
  }
}

function refuse(problem: Message): never {
  throw new CloudConfigRefused(problem)
}

function ownSettings({ hostname, password }: CloudConfigAdditions): Record<string, unknown> {
  const login = password === null ? {} : { password, chpasswd: { expire: false }, ssh_pwauth: true }
  // The network is configured at each boot, so that a NIC that is added later works.
  return { hostname, updates: { network: { when: ['boot-new-instance', 'boot'] } }, ...login }
}

function mergedKeys(
  written: Record<string, unknown>,
  { sshKeys }: CloudConfigAdditions,
): Record<string, unknown> {
  const existing = Array.isArray(written.ssh_authorized_keys)
    ? written.ssh_authorized_keys.map(String)
    : []
  const keys = [...new Set([...existing, ...sshKeys])]
  return keys.length > 0 ? { ...written, ssh_authorized_keys: keys } : written
}
