import { isMap, parseDocument, stringify } from 'yaml'

/** Settings that a guest reads at its first boot. */
export interface CloudConfigAdditions {
  hostname: string
  sshKeys: readonly string[]
  password: string | null
}

/** The user data does not permit the additions. The message tells the user why. */
export class CloudConfigRefused extends Error {
  override readonly name = 'CloudConfigRefused'
}

const header = '#cloud-config'

/**
 * Returns the user data for cloud-init: the user's text, plus the hostname, keys and password that
 * it does not set itself.
 */
export function cloudConfigWith(text: string | null, additions: CloudConfigAdditions): string {
  const written = text?.trim() ?? ''
  const adds = additions.sshKeys.length > 0 || additions.password !== null
  // A script, or another format of cloud-init, is passed on unchanged.
  if (written !== '' && !written.startsWith(header)) {
    if (adds)
      throw new CloudConfigRefused(
        'must begin with #cloud-config when SSH keys or a password are to be added',
      )
    return `${written}\n`
  }
  return `${header}\n${stringify({ ...ownSettings(additions), ...mergedKeys(mapIn(written), additions) }, { lineWidth: 0 })}`
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
  if (!text.startsWith(header))
    throw new CloudConfigRefused('is a script, to which the identity of the clone cannot be added')
  const written = mapIn(text)
  const first = renewSystemdId ? [resetIdCommand] : []
  const bootcmd = [...first, ...listIn(written.bootcmd)]
  const adds = {
    hostname,
    ssh_deletekeys: !keepHostKeys,
    ...(bootcmd.length > 0 ? { bootcmd } : {}),
  }
  return `${header}\n${stringify({ ...written, ...adds }, { lineWidth: 0 })}`
}

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

function mapIn(written: string): Record<string, unknown> {
  const document = parseDocument(written)
  const [problem] = document.errors
  if (problem) throw new CloudConfigRefused(`is not valid YAML: ${problem.message.split('\n')[0]}`)
  if (document.contents === null) return {}
  if (!isMap(document.contents))
    throw new CloudConfigRefused('must be a list of settings under #cloud-config')
  // A YAML mapping becomes an object.
  return document.toJS() as Record<string, unknown>
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
