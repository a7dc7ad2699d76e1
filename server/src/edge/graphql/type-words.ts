/** Parts of type names that have letters of their own in English. */
const spelled: Readonly<Record<string, string>> = {
  Api: 'API',
  Nic: 'NIC',
  Ssh: 'SSH',
  Vm: 'VM',
  Vpc: 'VPC',
}

/** Types that users know by another noun than the name of the type. */
const otherNouns: Readonly<Record<string, string>> = {
  Node: 'object',
  PlatformVm: 'VM',
  Session: 'login',
  VmTemplate: 'template',
}

/** Returns the noun for a type in plain English: `SshKey` is an "SSH key". */
export function nounOf(typeName: string): string {
  const parts = typeName.match(/[A-Z][a-z]*/g) ?? []
  return otherNouns[typeName] ?? parts.map((part) => spelled[part] ?? part.toLowerCase()).join(' ')
}

/** Returns the plural of the noun for a type. */
export function pluralOf(typeName: string): string {
  const noun = nounOf(typeName)
  return noun.endsWith('s') ? `${noun}es` : `${noun}s`
}
