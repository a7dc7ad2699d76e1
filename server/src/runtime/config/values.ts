import * as v from 'valibot'
import { ipv4BlockFromText, ipv4FromText } from '../ipv4.ts'
import { Secret } from './secret.ts'

/*
 * The kinds of values of settings. The text for a kind is written once: a problem says "must be
 * <form>", and the reference shows the form beside the key.
 */

export const text = v.pipe(v.string(), v.nonEmpty('must not be empty'))

function textThat(form: string, isGood: (value: string) => boolean) {
  return v.pipe(text, v.check(isGood, `must be ${form}`), v.metadata({ form }))
}

export function wholeNumber(least: number, most: number) {
  const form = `a whole number from ${least} to ${most}`
  const message = `must be ${form}`
  return v.pipe(
    v.number(message),
    v.integer(message),
    v.minValue(least, message),
    v.maxValue(most, message),
    v.metadata({ form }),
  )
}

export function numberFrom(least: number, most: number) {
  const form = `a number from ${least} to ${most}`
  const message = `must be ${form}`
  return v.pipe(
    v.number(message),
    v.minValue(least, message),
    v.maxValue(most, message),
    v.metadata({ form }),
  )
}

export const webUrl = textThat(
  'an http:// or https:// URL without user, query and fragment',
  isWebUrl,
)

export const origin = textThat(
  'an origin such as https://cloud.example.com',
  (value) => isWebUrl(value) && new URL(value).origin === value,
)

/** Gives the users of a group of the identity provider a role. */
export const groupRole = textThat('a group and a role such as cloud-admins=tenant.admin', (value) =>
  /^[^=]+=[^=]+$/.test(value),
)

export const databaseUrl = v.pipe(
  textThat(
    'a postgresql:// URL',
    (value) => /^postgres(ql)?:\/\//.test(value) && URL.canParse(value),
  ),
  v.transform((value) => new Secret(value)),
)

export const interfaceName = textThat(
  'the name of a network interface (at most 15 characters)',
  (value) => /^[^\s/:]{1,15}$/.test(value),
)

export const objectName = textThat('the name of a Kubernetes object', (value) =>
  /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/.test(value),
)

export const hostName = textThat(
  'a host name, or one that begins with a dot for all below it',
  (value) => /^\.?[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/i.test(value),
)

const imageForm = 'the reference of a container image, or empty for none'
export const imageOrNone = v.pipe(
  v.string(),
  v.regex(/^[a-z0-9][^\s]*$|^$/, `must be ${imageForm}`),
  v.metadata({ form: imageForm }),
  v.transform((image) => image || null),
)

const repository = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?(:\d{1,5})?(\/[a-z0-9]+([._-]+[a-z0-9]+)*)*$/

export const registry = textThat(
  'a registry such as quay.io, or a part of one such as quay.io/containerdisks',
  (value) => repository.test(value),
)

export const address = textThat('an IPv4 address', (value) => ipv4FromText(value) !== null)

const cidrForm = 'an IPv4 network such as 203.0.113.0/24'
export const cidr = v.pipe(
  text,
  v.check((value) => ipv4BlockFromText(value) !== null, `must be ${cidrForm}`),
  v.check(
    (value) => (ipv4BlockFromText(value)?.text ?? value) === value,
    (issue) => `must begin at the network's first address: ${ipv4BlockFromText(issue.input)?.text}`,
  ),
  v.metadata({ form: cidrForm }),
)

const notSet = v.pipe(
  v.literal(''),
  v.transform(() => null),
)

/** Accepts an empty text for a value that is not set. */
export const orEmpty = (schema: typeof interfaceName | typeof cidr) =>
  v.pipe(
    v.lazy((input): v.GenericSchema<unknown, string | null> =>
      // Both kinds of schema read a text and return one.
      input === '' ? notSet : (schema as unknown as v.GenericSchema<unknown, string>),
    ),
    v.metadata({ form: `${String(v.getMetadata(schema)['form'])}, or empty for none` }),
  )

export interface AddressRange {
  first: string
  last: string
}

const addressRange = v.pipe(
  text,
  v.regex(
    /^[\d.]+(\s*-\s*[\d.]+)?$/,
    'must be an address or a range such as 203.0.113.10-203.0.113.99',
  ),
)
const poolForm = 'a range such as 203.0.113.10-203.0.113.99, or a list of them'
export const addressPool = v.pipe(
  v.union([addressRange, v.array(addressRange)], `must be ${poolForm}`),
  v.metadata({ form: poolForm }),
  v.transform((pool) => [pool].flat().map(addressRangeFromText)),
)

function addressRangeFromText(range: string): AddressRange {
  const [first = '', last = first] = range.split('-').map((part) => part.trim())
  return { first, last }
}

/** A wider network would take addresses of other networks from the VMs. */
const widestPrefix = 16

/**
 * Returns the smallest network with 256 to 65,536 addresses that holds all ranges. Null when there
 * is none, without ranges, and when one of them is not valid.
 */
export function networkOfPool(ranges: readonly AddressRange[]): string | null {
  const ends = ranges.flatMap(({ first, last }) => [ipv4FromText(first), ipv4FromText(last)])
  const [some] = ranges
  if (!some) return null
  for (let prefix = 24; prefix >= widestPrefix; prefix -= 1) {
    const block = ipv4BlockFromText(`${some.first}/${prefix}`)
    const isInside = (end: number | null): boolean =>
      block !== null && end !== null && end >= block.first && end <= block.last
    if (block && ends.every(isInside)) return block.text
  }
  return null
}

const tags = v.pipe(
  text,
  v.check(
    (value) => tagRangeFromText(value) !== null,
    'must be VLAN tags such as 100-3999, from 1 to 4094',
  ),
)
const tagsForm = 'VLAN tags such as 100-3999, or a list of them'
export const tagPool = v.pipe(
  v.union(
    [tags, v.pipe(v.array(tags), v.minLength(1, 'must name at least one range'))],
    `must be ${tagsForm}`,
  ),
  v.metadata({ form: tagsForm }),
  v.transform((pool) => [pool].flat().flatMap((range) => tagRangeFromText(range) ?? [])),
)

/** Parses one tag, or the first and the last tag of a range. */
function tagRangeFromText(value: string): { first: number; last: number } | null {
  const [, first = '', last = first] = /^(\d{1,4})(?:\s*-\s*(\d{1,4}))?$/.exec(value) ?? []
  const range = { first: Number(first), last: Number(last) }
  return range.first >= 1 && range.first <= range.last && range.last <= 4094 ? range : null
}

const proxiesForm = 'true, false or the number of proxies in front'
export const proxies = v.pipe(
  v.union([v.boolean(), wholeNumber(0, 10)], `must be ${proxiesForm}`),
  v.metadata({ form: proxiesForm }),
  v.transform(Number),
)

/** A problem never repeats a secret, so the form mentions only its length. */
export const secretOfAtLeast = (characters: number) =>
  v.pipe(
    v.string(),
    v.minLength(characters, `must have at least ${characters} characters`),
    v.metadata({ form: `at least ${characters} characters` }),
    v.transform((value) => new Secret(value)),
  )

const portForm = 'a port number from 0 to 65535'
export const portInText = v.pipe(
  v.string(),
  v.regex(/^\d{1,5}$/, `must be ${portForm}`),
  v.transform(Number),
  v.maxValue(65_535, `must be ${portForm}`),
  v.metadata({ form: portForm }),
)

function isWebUrl(value: string): boolean {
  if (!URL.canParse(value)) return false
  const url = new URL(value)
  return (
    ['http:', 'https:'].includes(url.protocol) &&
    !url.username &&
    !url.password &&
    !url.search &&
    !url.hash
  )
}
