/*
 * The formats of names, labels and ports. Each check returns the API server's texts for what is
 * wrong with the value, and nothing for a valid one.
 */
const label = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/
const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
const labelValue = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/
const qualifiedName = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/
const configKey = /^[-._a-zA-Z0-9]+$/

const texts = {
  label:
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
  subdomain:
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
  labelValue:
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
  labelKey:
    "a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')",
  namePart:
    "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
  configKey:
    "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
}

const unless = (isValid: boolean, text: string): string[] => (isValid ? [] : [text])
const atMost = (most: number, value: string, unit: 'bytes' | 'characters'): string[] =>
  unless(value.length <= most, `must be no more than ${most} ${unit}`)

export const formats = {
  label: (value: string): string[] => [
    ...atMost(63, value, 'characters'),
    ...unless(label.test(value), subdomain.test(value) ? 'must not contain dots' : texts.label),
  ],
  subdomain: (value: string): string[] => [
    ...atMost(253, value, 'characters'),
    ...unless(subdomain.test(value), texts.subdomain),
  ],
  labelValue: (value: string): string[] => [
    ...atMost(63, value, 'bytes'),
    ...unless(labelValue.test(value), texts.labelValue),
  ],
  /** A name with an optional domain: the key of a label, or the name of a resource. */
  qualifiedName(value: string): string[] {
    const [name = '', prefix, ...more] = value.split('/').reverse()
    if (more.length > 0) return [texts.labelKey]
    return [
      ...(prefix === '' ? ['prefix part must be non-empty'] : []),
      ...(prefix ? formats.subdomain(prefix).map((text) => `prefix part ${text}`) : []),
      ...unless(name !== '', 'name part must be non-empty'),
      ...atMost(63, name, 'bytes').map((text) => `name part ${text}`),
      ...unless(qualifiedName.test(name), texts.namePart),
    ]
  },
  identifier: (value: string): string[] =>
    unless(/^[_a-zA-Z]\w*$/.test(value), 'must be a valid CEL identifier'),
  /** A key in a Secret or ConfigMap. */
  configKey: (value: string): string[] => [
    ...atMost(253, value, 'bytes'),
    ...unless(configKey.test(value), texts.configKey),
    ...(value === '.' ? ["must not be '.'"] : []),
    ...(value === '..' ? ["must not be '..'"] : []),
    ...(value.startsWith('..') && value !== '..' ? ["must not start with '..'"] : []),
  ],
  port: (value: number): string[] =>
    unless(value >= 1 && value <= 65_535, 'must be between 1 and 65535, inclusive'),
  portName: (value: string): string[] => [
    ...atMost(15, value, 'characters'),
    ...unless(
      /^[-a-z0-9]+$/.test(value),
      'must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)',
    ),
    ...unless(/[a-z]/.test(value), 'must contain at least one letter (a-z)'),
    ...unless(!value.includes('--'), 'must not contain consecutive hyphens'),
    ...unless(!/^-|-$/.test(value), 'must not begin or end with a hyphen'),
  ],
}
