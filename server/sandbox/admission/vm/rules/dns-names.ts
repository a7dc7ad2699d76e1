const label = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/
const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/

const messages = {
  label:
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
  subdomain:
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
}

/** Returns the reasons why a text is no DNS label; empty when it is one. */
export function whyNoLabel(text: string): string[] {
  const tooLong = text.length > 63 ? ['must be no more than 63 characters'] : []
  if (label.test(text)) return tooLong
  return [...tooLong, subdomain.test(text) ? 'must not contain dots' : messages.label]
}

/** Returns the reasons why a text is no DNS subdomain; empty when it is one. */
export const whyNoSubdomain = (text: string): string[] => [
  ...(text.length > 253 ? ['must be no more than 253 characters'] : []),
  ...(subdomain.test(text) ? [] : [messages.subdomain]),
]
