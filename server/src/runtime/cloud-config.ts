import { isMap, parseDocument, stringify } from 'yaml'

/** What a guest reads at its first boot. */
export interface CloudConfigAdditions {
  hostname: string
  sshKeys: readonly string[]
  password: string | null
}

/**
 * What somebody wrote for cloud-init cannot carry what is to be added; the message says why, in
 * words for them.
 */
export class CloudConfigRefused extends Error {
  override readonly name = 'CloudConfigRefused'
}

const header = '#cloud-config'

/**
 * The text for cloud-init: what somebody wrote, with our hostname, keys and password where they
 * said nothing of these.
 */
export function cloudConfigWith(text: string | null, additions: CloudConfigAdditions): string {
  const written = text?.trim() ?? ''
  const adds = additions.sshKeys.length > 0 || additions.password !== null
  // A script, or whatever else cloud-init takes: it stays as it is.
  if (written !== '' && !written.startsWith(header)) {
    if (adds)
      throw new CloudConfigRefused(
        'must begin with #cloud-config when SSH keys or a password are to be added',
      )
    return `${written}\n`
  }
  return `${header}\n${stringify({ ...ours(additions), ...mergedKeys(mapIn(written), additions) }, { lineWidth: 0 })}`
}

/** Who a copy of a guest is to be. */
export interface CopiedGuest {
  hostname: string
  renewMachineId: boolean
  keepHostKeys: boolean
}

/**
 * The text for cloud-init of a copy: it takes the copy for a new guest, which for itself renews
 * host keys and nothing else.
 */
export function cloudConfigForCopy(
  text: string,
  { hostname, renewMachineId, keepHostKeys }: CopiedGuest,
): string {
  if (!text.startsWith(header))
    throw new CloudConfigRefused('is a script, which cannot be told who the copy is')
  const written = mapIn(text)
  const first = renewMachineId ? [newMachineId] : []
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

const newMachineId = [
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
  // A mapping becomes an object.
  return document.toJS() as Record<string, unknown>
}

function ours({ hostname, password }: CloudConfigAdditions): Record<string, unknown> {
  const login = password === null ? {} : { password, chpasswd: { expire: false }, ssh_pwauth: true }
  // At each start, so that a NIC which is added later is set up.
  return { hostname, updates: { network: { when: ['boot-new-instance', 'boot'] } }, ...login }
}

function mergedKeys(
  written: Record<string, unknown>,
  { sshKeys }: CloudConfigAdditions,
): Record<string, unknown> {
  const known = Array.isArray(written.ssh_authorized_keys)
    ? written.ssh_authorized_keys.map(String)
    : []
  const keys = [...new Set([...known, ...sshKeys])]
  return keys.length > 0 ? { ...written, ssh_authorized_keys: keys } : written
}
