import { type Cause } from '../../../objects/cause.ts'
import { type JsonMap } from '../../../objects/types.ts'
import { read } from '../../../objects/read.ts'
import { cause } from '../../refusals.ts'
import { whyNoLabel, whyNoSubdomain } from './dns-names.ts'
import { type RuleContext, type Rule, causesWhere, parts } from './rule.ts'

/** Validates the resource claims of a VMI, and the devices that use a claim or a device name. */
export const resourceClaims: Rule = (context) => {
  const claims = read.maps(context.spec.resourceClaims)
  const gpus = deviceCauses(context, { list: 'gpus', kind: 'GPU', mayMix: false })
  const hostDevices = deviceCauses(context, {
    list: 'hostDevices',
    kind: 'HostDevice',
    mayMix: true,
  })
  const isUnclaimed = [...gpus.claims, ...hostDevices.claims].some(
    (name) => !claims.some((claim) => claim.name === name),
  )
  const message =
    'vmi.spec.resourceClaims must specify all claims used in vmi.spec.domain.devices.gpus and vmi.spec.domain.devices.hostDevices'
  return [
    ...claims.flatMap((claim, index) =>
      claimCauses(`${context.at}.resourceClaims[${index}]`, claim, claims.slice(0, index)),
    ),
    ...gpus.causes,
    ...hostDevices.causes,
    ...causesWhere([isUnclaimed, cause.wrong(`${context.at}.resourceClaims`, message)]),
  ]
}

function claimCauses(at: string, claim: JsonMap, before: readonly JsonMap[]): Cause[] {
  const { resourceClaimName, resourceClaimTemplateName } = claim
  const sources = { resourceClaimName, resourceClaimTemplateName }
  const count = Object.values(sources).filter((each) => each !== undefined).length
  return [
    ...claimNameCauses(`${at}.name`, read.text(claim.name), before),
    ...causesWhere(
      [
        count > 1,
        cause.wrong(
          at,
          'at most one of resourceClaimName or resourceClaimTemplateName may be specified',
        ),
      ],
      [
        count === 0,
        cause.wrong(at, 'must specify one of: resourceClaimName, resourceClaimTemplateName'),
      ],
    ),
    ...Object.entries(sources).flatMap(([key, name]) =>
      name === undefined
        ? []
        : whyNoSubdomain(read.text(name)).map((why) => cause.wrong(`${at}.${key}`, why)),
    ),
  ]
}

function claimNameCauses(field: string, name: string, before: readonly JsonMap[]): Cause[] {
  if (name === '') return [cause.required(field, `${field} is a required field`)]
  if (before.some((other) => other.name === name))
    return [cause.repeated(field, `duplicate resourceClaims name ${JSON.stringify(name)}`)]
  const why = whyNoLabel(name)
  return why.length === 0
    ? []
    : [
        cause.wrong(
          field,
          `${field} does not conform to the kubernetes DNS_LABEL rules: ${why.join(', ')}`,
        ),
      ]
}

interface Devices {
  list: 'gpus' | 'hostDevices'
  kind: string
  mayMix: boolean
}

function deviceCauses(
  context: RuleContext,
  { list, kind, mayMix }: Devices,
): { causes: Cause[]; claims: string[] } {
  const devices = read.maps(parts.devices(context)[list])
  const at = `${context.at}.domain.devices.${list}`
  const of = `vmi.spec.domain.devices.${list}`
  const isClaimed = ({ deviceName, claimName, requestName }: JsonMap): boolean =>
    read.text(deviceName) === '' && (claimName !== undefined || requestName !== undefined)
  const claimed = devices.filter(isClaimed)
  const unclaimed = devices.filter((device) => !isClaimed(device))
  if (!mayMix && claimed.length > 0 && unclaimed.length > 0) {
    const message = `${of} contains both DRA and non-DRA ${kind}s; each ${kind} must be either DRA or non-DRA`
    return { causes: [cause.wrong(at, message)], claims: [] }
  }
  const nameless = `${of} contains ${kind}s without deviceName or claimRequest; each ${kind} must specify either a deviceName or a claimRequest`
  const both = `${of} contains ${kind}s with both deviceName and claimRequest`
  const causes = unclaimed.flatMap(({ deviceName, claimName, requestName }) =>
    read.text(deviceName) === ''
      ? [cause.required(at, nameless)]
      : causesWhere([claimName !== undefined || requestName !== undefined, cause.wrong(at, both)]),
  )
  const requests = devices.flatMap((device, index) =>
    isClaimed(device) ? requestCauses(`${at}[${index}]`, device, kind) : [],
  )
  return {
    causes: [...causes, ...requests],
    claims: claimed.map(({ claimName }) => read.text(claimName)).filter((name) => name !== ''),
  }
}

const requestCauses = (at: string, device: JsonMap, kind: string): Cause[] =>
  ['claimName', 'requestName']
    .filter((key) => read.text(device[key]) === '')
    .map((key) => cause.required(`${at}.${key}`, `${key} is required for DRA ${kind}`))
