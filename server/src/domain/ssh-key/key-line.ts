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

// OpenSSH's longest RSA key needs less than 3,000 characters; the remaining space is for a comment.
const maxCharacters = 8192
const expectedFormat = messageOf('ssh.key_wanted')

/** Common wrong inputs, the most dangerous first. */
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
 * Parses one line of authorized_keys into type and key, and drops the comment. Refuses other text
 * with a remedy.
 */
export function keyLineFrom(text: string, path: string): { type: KeyType; base64: string } {
  const line = text.trim()
  if (line === '') throw invalid(path, expectedFormat)
  const mistake = mistakes.find(([pattern]) => pattern.test(line))
  if (mistake) throw invalid(path, mistake[1])
  if (line.length > maxCharacters)
    throw invalid(path, messageOf('field.at_most_characters', { most: maxCharacters }))
  const [type = '', base64 = '', ...rest] = line.split(/[ \t]+/)
  if (!isKeyType(type)) throw invalid(path, typeMistake(type, [base64, ...rest]))
  if (base64 === '') throw invalid(path, damaged)
  return { type, base64 }
}

/** Returns the mistake of a line that does not begin with an accepted key type. */
function typeMistake(first: string, rest: readonly string[]): Message {
  if (first.startsWith('AAAA')) return messageOf('ssh.key_without_type')
  if (first.includes('-cert-v01@')) return messageOf('ssh.key_certificate')
  if (rest[0]?.startsWith('AAAA'))
    return messageOf('ssh.key_type_refused', { type: first.slice(0, 60), types: keyTypes })
  if (rest.some(isKeyType)) return messageOf('ssh.key_options')
  return expectedFormat
}

function isKeyType(text: string): text is KeyType {
  // The cast only widens the element type, so that `includes` takes any text.
  return (keyTypes as readonly string[]).includes(text)
}
