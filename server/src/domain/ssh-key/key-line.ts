import { invalid } from '../../engine/model/name.ts'

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

export const damaged =
  'is damaged: the key was cut off or changed when it was copied; copy the whole line again'

// The longest RSA key that OpenSSH takes needs less than 3,000 characters; the rest is room for a
// comment.
const mostCharacters = 8192
const example = 'it looks like: ssh-ed25519 AAAA… comment'
const wanted = `must be the line of a public key; ${example}`

/** What people send instead of a line, the worst first. */
const mistakes: readonly [RegExp, string][] = [
  [
    /-{4,5} ?BEGIN [A-Z0-9 ]*PRIVATE KEY|^PuTTY-User-Key-File|(^|\s)b3BlbnNzaC1rZXktdjE/,
    'is a private key, which nobody else may see; send its public half (the file that ends in .pub, or what ssh-keygen -y prints)',
  ],
  [
    /-{4,5} ?BEGIN /,
    `is in another format; convert it with ssh-keygen -i (and -m PKCS8 or -m PEM where it has five dashes) until ${example}`,
  ],
  [/[\r\n\v\f\u0085\u2028\u2029]/, 'has several lines; send one key, on one line'],
  [/[^\P{Cc}\t]/u, 'has control characters in it; copy the line again'],
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
    throw invalid(path, `must be at most ${mostCharacters} characters`)
  const [type = '', base64 = '', ...rest] = line.split(/[ \t]+/)
  if (!isKeyType(type)) throw invalid(path, insteadOfType(type, [base64, ...rest]))
  if (base64 === '') throw invalid(path, damaged)
  return { type, base64 }
}

/** What a line that does not begin with a type begins with. */
function insteadOfType(first: string, rest: readonly string[]): string {
  if (first.startsWith('AAAA'))
    return `begins with the key itself; put its type before it: ${example}`
  if (first.includes('-cert-v01@'))
    return 'is a certificate; send the public key that it was made for'
  if (rest[0]?.startsWith('AAAA'))
    return `has the type ${first.slice(0, 60)}, which is not accepted; use one of ${keyTypes.join(', ')}`
  if (rest.some(isKeyType))
    return 'begins with options; options are not taken over, so send the key alone, beginning with its type'
  return wanted
}

function isKeyType(text: string): text is KeyType {
  // Any text may be looked for in a list of texts.
  return (keyTypes as readonly string[]).includes(text)
}
