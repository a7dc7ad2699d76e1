import { isIP } from 'node:net'
import { type Cause } from '../../../objects/cause.ts'
import { read } from '../../../objects/read.ts'
import { cause } from '../../refusals.ts'
import { whyNoLabel, whyNoSubdomain } from './dns-names.ts'
import { type RuleContext, type Rule, causesWhere, parts } from './rule.ts'

/** Validates the names of a VMI and its DNS configuration. */
export const names: Record<'hostname' | 'subdomain' | 'dns' | 'serviceAccount', Rule> = {
  hostname: (context) => nameCauses(context, 'hostname', 'DNS_LABEL'),
  subdomain: (context) => nameCauses(context, 'subdomain', 'DNS_SUBDOMAIN'),
  dns: (context) => [...policyCauses(context), ...resolverCauses(context)],
  serviceAccount: serviceAccountCauses,
}

function nameCauses(
  { spec, at }: RuleContext,
  key: 'hostname' | 'subdomain',
  rules: 'DNS_LABEL' | 'DNS_SUBDOMAIN',
): Cause[] {
  const name = read.text(spec[key])
  const why = name === '' ? [] : rules === 'DNS_LABEL' ? whyNoLabel(name) : whyNoSubdomain(name)
  if (why.length === 0) return []
  const field = `${at}.${key}`
  return [
    cause.wrong(
      field,
      `${field} does not conform to the kubernetes ${rules} rules : ${why.join(', ')}`,
    ),
  ]
}

const policies = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None', '']

function policyCauses({ spec, at }: RuleContext): Cause[] {
  const policy = read.text(spec.dnsPolicy)
  const message = `DNSPolicy: ${policy} is not supported, valid values: [${policies.join(' ')}]`
  return policies.includes(policy) ? [] : [cause.unsupported(`${at}.dnsPolicy`, message)]
}

function resolverCauses({ spec, at }: RuleContext): Cause[] {
  const isOwn = spec.dnsPolicy === 'None'
  if (spec.dnsConfig === undefined)
    return causesWhere([
      isOwn,
      cause.required(`${at}.dnsConfig`, 'must provide `dnsConfig` when `dnsPolicy` is None'),
    ])
  const config = read.map(spec.dnsConfig)
  const servers = read.texts(config.nameservers)
  if (isOwn && servers.length === 0)
    return [
      cause.required(
        'nameservers',
        'must provide at least one DNS nameserver when `dnsPolicy` is None',
      ),
    ]
  const searches = read.texts(config.searches)
  return [
    ...causesWhere([
      servers.length > 3,
      cause.wrong('nameservers', `must not have more than 3 nameservers: [${servers.join(' ')}]`),
    ]),
    ...servers
      .filter((each) => isIP(each) === 0)
      .map((each) => cause.wrong('nameservers', `must be valid IP address: ${each}`)),
    ...causesWhere(
      [searches.length > 6, cause.wrong('searchDomains', 'must not have more than 6 search paths')],
      [
        searches.join(' ').length > 256,
        cause.wrong(
          'searchDomains',
          'must not have more than 256 characters (including spaces) in the search list',
        ),
      ],
    ),
    ...searches.flatMap(whyNoSubdomain).map((why) => cause.wrong('searchDomains', why)),
    ...read
      .maps(config.options)
      .filter(({ name }) => read.text(name) === '')
      .map(() => cause.wrong('options', 'Option.Name must not be empty')),
  ]
}

function serviceAccountCauses(context: RuleContext): Cause[] {
  const name = read.text(context.spec.serviceAccountName)
  if (name === '') return []
  const field = `${context.at}.serviceAccountName`
  const why = whyNoSubdomain(name)
  const volume = parts
    .volumes(context)
    .map(
      ({ serviceAccount }) =>
        serviceAccount && read.text(read.at(serviceAccount, 'serviceAccountName')),
    )
    .find((other) => other !== undefined && other !== name)
  return causesWhere(
    [
      why.length > 0,
      cause.wrong(field, `${field} is not a valid service account name: ${why.join('; ')}`),
    ],
    [
      volume !== undefined,
      cause.wrong(
        field,
        `spec.serviceAccountName ${JSON.stringify(name)} and serviceAccount volume ${JSON.stringify(volume)} must reference the same service account`,
      ),
    ],
  )
}
