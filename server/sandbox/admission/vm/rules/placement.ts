import { type JsonMap } from '../../../objects/types.ts'
import { read } from '../../../objects/read.ts'
import { cause } from '../../refusals.ts'
import { whyNoLabel, whyNoSubdomain } from './dns-names.ts'
import {
  type PodFinding,
  keyFindings,
  podFinding,
  requirementFindings,
  selectorFindings,
} from './label-rules.ts'
import { type Rule } from './rule.ts'

const causesFrom = (found: readonly PodFinding[]) =>
  found.map(({ field, message }) => cause.wrong(field, message))

/** Validates affinity and spread constraints, by the rules for pods. */
export const placement: Record<'affinity' | 'spread', Rule> = {
  // KubeVirt omits `affinity` from these paths.
  affinity({ spec, at }) {
    const { nodeAffinity, podAffinity, podAntiAffinity } = read.map(spec.affinity)
    return causesFrom([
      ...nodeFindings(`${at}.nodeAffinity`, read.map(nodeAffinity)),
      ...podFindings(`${at}.podAffinity`, read.map(podAffinity)),
      ...podFindings(`${at}.podAntiAffinity`, read.map(podAntiAffinity)),
    ])
  },

  spread({ spec, at }) {
    const list = `${at}.topologySpreadConstraints`
    const all = read.maps(spec.topologySpreadConstraints)
    return causesFrom(
      all.flatMap((each, index) =>
        spreadFindings({ at: `${list}[${index}]`, list }, each, all.slice(index + 1)),
      ),
    )
  },
}

const must = 'requiredDuringSchedulingIgnoredDuringExecution'
const should = 'preferredDuringSchedulingIgnoredDuringExecution'

function nodeFindings(at: string, affinity: JsonMap): PodFinding[] {
  const terms = read.maps(read.at(affinity[must], 'nodeSelectorTerms'))
  const field = `${at}.${must}.nodeSelectorTerms`
  const none = affinity[must] !== undefined && terms.length === 0
  return [
    ...(none ? [podFinding.required(field, 'must have at least one node selector term')] : []),
    ...terms.flatMap((term, index) => termFindings(`${field}[${index}]`, term)),
    ...read
      .maps(affinity[should])
      .flatMap(({ weight, preference }, index) => [
        ...weightFindings(`${at}.${should}[${index}]`, weight),
        ...termFindings(`${at}.${should}[${index}].preference`, read.map(preference)),
      ]),
  ]
}

const weightFindings = (at: string, weight: unknown): PodFinding[] =>
  Number(weight) > 0 && Number(weight) <= 100
    ? []
    : [podFinding.invalid(`${at}.weight`, Number(weight), 'must be in the range 1-100')]

const termFindings = (at: string, { matchExpressions, matchFields }: JsonMap): PodFinding[] => [
  ...read
    .maps(matchExpressions)
    .flatMap((each, index) => requirementFindings(`${at}.matchExpressions[${index}]`, each, true)),
  ...read
    .maps(matchFields)
    .flatMap((each, index) => fieldFindings(`${at}.matchFields[${index}]`, each)),
]

/** The only field of a node that a selector can match is its name. */
function fieldFindings(at: string, { key, operator, values }: JsonMap): PodFinding[] {
  const names = read.texts(values)
  const one = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector"
  const isKnown = operator === 'In' || operator === 'NotIn'
  return [
    ...(isKnown
      ? []
      : [
          podFinding.invalid(
            `${at}.operator`,
            read.text(operator),
            'not a valid selector operator',
          ),
        ]),
    ...(isKnown && names.length !== 1 ? [podFinding.required(`${at}.values`, one)] : []),
    ...(key === 'metadata.name'
      ? names.flatMap((name, index) =>
          whyNoSubdomain(name).map((why) =>
            podFinding.invalid(`${at}.values[${index}]`, name, why),
          ),
        )
      : [podFinding.invalid(`${at}.key`, read.text(key), 'not a valid field selector key')]),
  ]
}

const podFindings = (at: string, affinity: JsonMap): PodFinding[] => [
  ...read
    .maps(affinity[must])
    .flatMap((term, index) => podTermFindings(`${at}.${must}[${index}]`, term)),
  ...read
    .maps(affinity[should])
    .flatMap(({ weight, podAffinityTerm }, index) => [
      ...weightFindings(`${at}.${should}[${index}]`, weight),
      ...podTermFindings(`${at}.${should}[${index}].podAffinityTerm`, read.map(podAffinityTerm)),
    ]),
]

const podTermFindings = (at: string, term: JsonMap): PodFinding[] => [
  ...selectorFindings(`${at}.labelSelector`, read.map(term.labelSelector)),
  ...selectorFindings(`${at}.namespaceSelector`, read.map(term.namespaceSelector)),
  ...read
    .texts(term.namespaces)
    .flatMap((name) =>
      whyNoLabel(name).map((why) => podFinding.invalid(`${at}.namespace`, name, why)),
    ),
  ...(read.text(term.topologyKey) === ''
    ? [podFinding.required(`${at}.topologyKey`, 'can not be empty')]
    : []),
  ...keyFindings(`${at}.topologyKey`, read.text(term.topologyKey)),
]

const reactions = ['DoNotSchedule', 'ScheduleAnyway']

function spreadFindings(
  { at, list }: { at: string; list: string },
  each: JsonMap,
  after: readonly JsonMap[],
): PodFinding[] {
  const [key, reaction] = [read.text(each.topologyKey), read.text(each.whenUnsatisfiable)]
  const isRepeated = after.some(
    (other) => other.topologyKey === key && other.whenUnsatisfiable === reaction,
  )
  return [
    ...(Number(each.maxSkew) > 0
      ? []
      : [podFinding.invalid(`${at}.maxSkew`, Number(each.maxSkew), 'must be greater than zero')]),
    ...(key === ''
      ? [podFinding.required(`${at}.topologyKey`, 'can not be empty')]
      : keyFindings(`${at}.topologyKey`, key)),
    ...(reactions.includes(reaction)
      ? []
      : [podFinding.unsupported(`${at}.whenUnsatisfiable`, reaction, reactions)]),
    ...selectorFindings(`${list}.labelSelector`, read.map(each.labelSelector)),
    ...(isRepeated
      ? [podFinding.repeated(`${at}.{topologyKey, whenUnsatisfiable}`, `{${key}, ${reaction}}`)]
      : []),
  ]
}
