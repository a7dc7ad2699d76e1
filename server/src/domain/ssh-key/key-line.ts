import { invalid } from '../../engine/model/name.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

const keyTypes = [
  'ssh-ed25519',
  'ssh-rsa',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'sk-ssh-ed25519@openssh.com',
  'sk-ecdsa-sha2-nistp256@openssh.com',
] as const

export type KeyType = (typeof keyTypes)[number]

export const damaged = messageOf('ssh.key_damaged')

// The longest RSA key that OpenSSH takes needs less than 3,000 characters; the rest is room for a
// comment.
const mostCharacters = 8192
const wanted = messageOf('ssh.key_wanted')

/** What people send instead of a line, the worst first. */
const mistakes: readonly [RegExp, Message][] = [
  [
    /-{4,5} ?BEGIN [A-Z0-9 ]*PRIVATE KEY|^PuTTY-User-Key-File|(^|\s)b3BlbnNzaC1rZXktdjE/,
    messageOf('ssh.key_private'),
  ],
  [/-{4,5} ?BEGIN /, messageOf('ssh.key_format')],
  [/[\r\n\v\f\u0085\u2028\u2029]/, messageOf('ssh.key_lines')],
  [/[^\P{Cc}\t]/u, messageOf('ssh.key_control_characters')],
]

/**
 * Type and key of one line of authorized_keys; the comment is dropped, everything else is refused
 * with what to do.
 */
export function keyLineFrom(text: string, path: string): { type: KeyType; base64: string } {
  const line = text.trim()
  if (line === '') throw invalid(path, wanted)
  const mistake = mistakes.find(([pattern]) => pattern.test(line))
  if (mistake) throw invalid(path, mistake[1])
  if (line.length > mostCharacters)
    throw invalid(path, messageOf('field.at_most_characters', { most: mostCharacters }))
  const [type = '', base64 = '', ...rest] = line.split(/[ \t]+/)
  if (!isKeyType(type)) throw invalid(path, insteadOfType(type, [base64, ...rest]))
  if (base64 === '') throw invalid(path, damaged)
  return { type, base64 }
}

/** What a line that does not begin with a type begins with. */
function insteadOfType(first: string, rest: readonly string[]): Message {
  if (first.startsWith('AAAA')) return messageOf('ssh.key_without_type')
  if (first.includes('-cert-v01@')) return messageOf('ssh.key_certificate')
  if (rest[0]?.startsWith('AAAA'))
    return messageOf('ssh.key_type_refused', { type: first.slice(0, 60), types: keyTypes })
  if (rest.some(isKeyType)) return messageOf('ssh.key_options')
  return wanted
}

function isKeyType(text: string): text is KeyType {
  // Any text may be looked for in a list of texts.
  return (keyTypes as readonly string[]).includes(text)
}
