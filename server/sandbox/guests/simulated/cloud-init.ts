import { type Json, type JsonMap } from '../../objects/types.ts'
import { read } from '../../objects/read.ts'
import { type Seed } from '../guest.ts'
import { FileError, type Files, absolute } from './disks/files.ts'
import { type UserData, readUserData } from './cloud-config.ts'
import { type User, fingerprint, usersFrom } from './users.ts'

/** The settings that cloud-init applies to a simulated guest at its first boot. */
export interface Prepared {
  hostname: string
  users: User[]
  data: UserData
}

/** Reads the seed as cloud-init does. A guest without a seed keeps its own hostname and user. */
export function prepare(
  seed: Seed | null,
  own: { hostname: string; defaultUser: string },
): Prepared {
  const data = readUserData(seed?.userData ?? '')
  const { config } = data
  const preserves = config.preserve_hostname === true
  const requestedName = read.text(config.fqdn) || read.text(config.hostname)
  return {
    hostname: requestedName === '' || preserves ? own.hostname : requestedName,
    users: usersFrom(config, own.defaultUser),
    data,
  }
}

/** Writes the files of the config and the keys of the users. Returns cloud-init's warnings. */
export function writeFiles(files: Files, { data, users }: Prepared): string[] {
  const warnings = read.maps(data.config.write_files).flatMap((entry) => {
    try {
      writeFile(files, entry)
      return []
    } catch (error) {
      if (!(error instanceof FileError)) throw error
      return [`cc_write_files.py[WARNING]: ${read.text(entry.path)}: ${error.message}`]
    }
  })
  for (const { name, keys } of users) {
    const home = name === 'root' ? '/root' : `/home/${name}`
    files.makeFolder(home, { withParents: true })
    if (keys.length === 0) continue
    files.makeFolder(`${home}/.ssh`, { withParents: true })
    files.write(`${home}/.ssh/authorized_keys`, keys.map((key) => `${key}\n`).join(''))
  }
  return warnings
}

function writeFile(files: Files, entry: JsonMap): void {
  const path = absolute(read.text(entry.path), '/')
  files.makeFolder(path.slice(0, path.lastIndexOf('/')) || '/', { withParents: true })
  const before = entry.append === true && files.exists(path) ? files.read(path) : ''
  files.write(path, before + contentOf(entry))
}

function contentOf({ content, encoding }: JsonMap): string {
  const text = typeof content === 'string' ? content : String(content ?? '')
  return /^(b64|base64)$/.test(read.text(encoding))
    ? Buffer.from(text, 'base64').toString('utf8')
    : text
}

/** A command is a line for the shell, or a list of arguments. */
export const commandsIn = (value: Json | undefined): string[] =>
  (Array.isArray(value) ? value : []).flatMap((each) =>
    typeof each === 'string'
      ? [each]
      : Array.isArray(each)
        ? [each.map((word) => `'${String(word).replaceAll("'", `'"'"'`)}'`).join(' ')]
        : [],
  )

const upAt = '12.04'

/** The serial output of cloud-init: its warnings, the users' keys, and the output of commands. */
export function cloudInitLines(
  prepared: Prepared,
  seed: Seed | null,
  output: readonly string[],
): string[] {
  const { data, users } = prepared
  if (!seed) return []
  const say = (words: string): string => `cloud-init[612]: ${words}`
  const version = 'Cloud-init v. 25.1'
  const warning = data.warning === null ? [] : [say(`__init__.py[WARNING]: ${data.warning}`)]
  const datasource = `DataSource${seed.source} [seed=/dev/vdb][dsmode=net]`
  const final = read.text(data.config.final_message)
  return [
    say(`${version} running 'init-local'. Up 3.91 seconds.`),
    ...warning,
    say(`${version} running 'modules:config'. Up 10.22 seconds.`),
    ...users.flatMap(keyTable).map((line) => `ci-info: ${line}`),
    say(`${version} running 'modules:final'. Up ${upAt} seconds.`),
    ...output.map(say),
    say(
      final === ''
        ? `${version} finished. Datasource ${datasource}. Up ${upAt} seconds`
        : filledIn(final, seed),
    ),
  ]
}

const filledIn = (message: string, { source }: Seed): string =>
  message
    .replaceAll(/\$\{?(?:UPTIME|uptime)\}?/g, upAt)
    .replaceAll(/\$\{?(?:DATASOURCE|datasource)\}?/g, `DataSource${source}`)
    .replaceAll(/\$\{?(?:VERSION|version)\}?/g, '25.1')
    .trimEnd()

function keyTable({ name, keys }: User): string[] {
  if (keys.length === 0) return []
  const rows = keys.map(
    (key) =>
      `| ${key.split(/\s+/)[0] ?? ''} | ${fingerprint(key)} | - | ${key.split(/\s+/)[2] ?? '-'} |`,
  )
  return [
    `Authorized keys from /home/${name}/.ssh/authorized_keys for user ${name}`,
    '| Keytype | Fingerprint (sha256) | Options | Comment |',
    ...rows,
  ]
}
