import { type Cause, causes, choice, problems, repetitions } from '../objects/cause.ts'
import { formats } from '../objects/formats.ts'
import { read } from '../objects/read.ts'
import { selectorCauses } from '../objects/selector-causes.ts'
import { type KindHooks, type Schema } from '../objects/resource.ts'
import { dig } from '../objects/dig.ts'
import { type Json, type JsonMap, type KubeObject, isMap } from '../objects/types.ts'
import { celNames } from '../admission/policies/names.ts'
import { CelCompileError, compileCel } from '../cel/cel.ts'
import * as shapes from './shared.ts'
import * as schemaTypes from '../objects/schema.ts'

const { atomic, atomicList, atomicTexts, each, pointer, listBy, object, structOf, text, written } =
  schemaTypes

const rule = object({
  ...each(atomicTexts, 'apiGroups', 'apiVersions', 'operations', 'resourceNames', 'resources'),
  scope: pointer(text),
})
const match = atomic(
  object({
    namespaceSelector: shapes.labelSelector,
    objectSelector: shapes.labelSelector,
    resourceRules: atomicList(atomic(rule)),
    excludeResourceRules: atomicList(atomic(rule)),
    matchPolicy: pointer(text),
  }),
)
const named = structOf(written(text), 'name', 'expression')

/** Schema of the kind ValidatingAdmissionPolicy. */
export const policy: Schema = object({
  spec: written(
    object({
      paramKind: atomic(structOf(text, 'apiVersion', 'kind')),
      matchConstraints: match,
      validations: atomicList(
        object({
          expression: written(text),
          ...each(text, 'message', 'messageExpression'),
          reason: pointer(text),
        }),
      ),
      failurePolicy: pointer(text),
      auditAnnotations: atomicList(structOf(text, 'key', 'valueExpression')),
      matchConditions: listBy(['name'], named),
      variables: listBy(['name'], named),
    }),
  ),
  status: written(schemaTypes.anything),
})

/** Schema of the kind ValidatingAdmissionPolicyBinding. */
export const binding: Schema = object({
  spec: written(
    object({
      policyName: text,
      paramRef: atomic(
        object({
          name: text,
          namespace: text,
          selector: shapes.labelSelector,
          parameterNotFoundAction: pointer(text),
        }),
      ),
      matchResources: match,
      validationActions: schemaTypes.setOf(text),
    }),
  ),
})

const defaulted = (object_: KubeObject): KubeObject => {
  const spec = dig.map(object_, 'spec')
  const constraints = spec.matchConstraints
  return {
    ...object_,
    spec: {
      failurePolicy: 'Fail',
      ...spec,
      ...(isMap(constraints) ? { matchConstraints: matchDefaults(constraints) } : {}),
    },
  }
}

function matchDefaults(resources: JsonMap): JsonMap {
  const rules = ['resourceRules', 'excludeResourceRules'].flatMap((name) =>
    resources[name] === undefined ? [] : [[name, scoped(read.maps(resources[name]))] as const],
  )
  const everything = { matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {} }
  return { ...everything, ...resources, ...Object.fromEntries(rules) }
}

const scoped = (rules: readonly JsonMap[]): JsonMap[] =>
  rules.map((each) => ({ scope: '*', ...each }))

/** The API server's own rules for the binding of a policy. */
export const bindingHooks: KindHooks = {
  normalise: (object_) => {
    const spec = read.spec(object_)
    const { matchResources } = spec
    return isMap(matchResources)
      ? { ...object_, spec: { ...spec, matchResources: matchDefaults(matchResources) } }
      : object_
  },
  validate: ({ spec }) => bindingCauses(read.map(spec)),
}

const actions = ['Audit', 'Deny', 'Warn']
const denyAndWarn =
  'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)'

function bindingCauses({
  policyName,
  paramRef,
  matchResources,
  validationActions,
}: JsonMap): Cause[] {
  const name = read.text(policyName)
  const chosen = read.texts(validationActions)
  const field = 'spec.validationActions'
  return [
    ...(name === ''
      ? [causes.required('spec.policyName')]
      : problems('spec.policyName', name, formats.subdomain(name))),
    ...(isMap(paramRef) ? paramCauses(paramRef) : []),
    ...(isMap(matchResources) ? matchCauses(matchResources, 'spec.matchResources') : []),
    ...(chosen.length === 0
      ? [causes.required(field, 'at least one validation action is required')]
      : []),
    ...chosen.flatMap((action, index) => choice(`${field}[${index}]`, action, actions)),
    ...(chosen.includes('Deny') && chosen.includes('Warn')
      ? [causes.invalid(field, chosen, denyAndWarn)]
      : []),
    ...repetitions(chosen, (index) => `${field}[${index}]`),
  ]
}

function paramCauses({ name, selector, parameterNotFoundAction }: JsonMap): Cause[] {
  const field = 'spec.paramRef'
  const hasName = (name ?? '') !== ''
  const both = 'name and selector are mutually exclusive'
  return [
    ...(hasName === (selector !== undefined)
      ? hasName
        ? [causes.forbidden(`${field}.name`, both), causes.forbidden(`${field}.selector`, both)]
        : [causes.required(field, 'one of name or selector must be specified')]
      : []),
    ...(parameterNotFoundAction === undefined
      ? [causes.required(`${field}.parameterNotFoundAction`)]
      : choice(`${field}.parameterNotFoundAction`, parameterNotFoundAction, ['Deny', 'Allow'])),
  ]
}

const matchCauses = (match: JsonMap, field: string): Cause[] => [
  ...choice(`${field}.matchPolicy`, match.matchPolicy, ['Equivalent', 'Exact']),
  ...selectorCauses(`${field}.namespaceSelector`, match.namespaceSelector),
  ...selectorCauses(`${field}.objectSelector`, match.objectSelector),
]

/** Compiles every expression on write, and refuses a policy whose expression does not compile. */
export const policyHooks: KindHooks = {
  normalise: defaulted,
  validate(policy_) {
    const declared =
      dig.list(policy_, 'spec.variables').length > 0 ? [...celNames, 'variables'] : celNames
    const conditions = causesOf(policy_, {
      list: 'matchConditions',
      field: 'expression',
      names: celNames,
    })
    const variables = causesOf(policy_, { list: 'variables', field: 'expression', names: declared })
    const validations = causesOf(policy_, {
      list: 'validations',
      field: 'expression',
      names: declared,
    })
    const messages = causesOf(policy_, {
      list: 'validations',
      field: 'messageExpression',
      names: declared,
    })
    return [
      ...fieldCauses(read.spec(policy_)),
      ...variables,
      ...validations,
      ...messages,
      ...conditions,
    ]
  },
}

const operations = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE']
const reasons = ['Forbidden', 'Invalid', 'RequestEntityTooLarge']
const noChecks = 'validations or auditAnnotations must contain at least one item'

function fieldCauses(spec: JsonMap): Cause[] {
  const { failurePolicy, matchConstraints, paramKind } = spec
  const validations = read.maps(spec.validations)
  const isIdle = validations.length === 0 && read.maps(spec.auditAnnotations).length === 0
  return [
    ...choice('spec.failurePolicy', failurePolicy, ['Fail', 'Ignore']),
    ...(isMap(paramKind)
      ? ['apiVersion', 'kind']
          .filter((key) => (paramKind[key] ?? '') === '')
          .map((key) => causes.required(`spec.paramKind.${key}`))
      : []),
    ...(isMap(matchConstraints)
      ? constraintCauses(matchConstraints, 'spec.matchConstraints')
      : [causes.required('spec.matchConstraints')]),
    ...read
      .maps(spec.matchConditions)
      .flatMap(({ name }, index) =>
        problems(
          `spec.matchConditions[${index}].name`,
          name,
          formats.qualifiedName(read.text(name)),
        ),
      ),
    ...read
      .maps(spec.variables)
      .flatMap(({ name, expression }, index) => [
        ...problems(`spec.variables[${index}].name`, name, formats.identifier(read.text(name))),
        ...expressionCauses(expression, `spec.variables[${index}].expression`),
      ]),
    ...validations.flatMap((each, index) => validationCauses(each, `spec.validations[${index}]`)),
    ...(isIdle
      ? ['validations', 'auditAnnotations'].map((name) => causes.required(`spec.${name}`, noChecks))
      : []),
  ]
}

const expressionCauses = (expression: Json | undefined, field: string): Cause[] =>
  read.text(expression).trim() === '' ? [causes.required(field, 'expression is not specified')] : []

function validationCauses({ expression, message, reason }: JsonMap, field: string): Cause[] {
  const text = read.text(message)
  const wrong = text !== '' && text.trim() === ''
  return [
    ...expressionCauses(expression, `${field}.expression`),
    ...(wrong ? [causes.invalid(`${field}.message`, text, 'must be non-empty if specified')] : []),
    ...(!wrong && /[\r\n]/.test(text)
      ? [causes.invalid(`${field}.message`, text, 'must not contain line breaks')]
      : []),
    ...(reason === undefined ? [] : choice(`${field}.reason`, reason, reasons)),
  ]
}

function constraintCauses(match: JsonMap, field: string): Cause[] {
  const rules = read.maps(match.resourceRules)
  return [
    ...matchCauses(match, field),
    ...(rules.length === 0 ? [causes.required(`${field}.resourceRules`)] : []),
    ...['resourceRules', 'excludeResourceRules'].flatMap((name) =>
      read
        .maps(match[name])
        .flatMap((each, index) => matchRuleCauses(each, `${field}.${name}[${index}]`)),
    ),
  ]
}

/** A wildcard stands alone in its list. */
const ruleLists = [
  { name: 'operations', alone: "if '*' is present, must not specify other operations" },
  { name: 'apiGroups', alone: "if '*' is present, must not specify other API groups" },
  { name: 'apiVersions', alone: "if '*' is present, must not specify other API versions" },
  {
    name: 'resources',
    alone: "if '*' is present, must not specify other resources without subresources",
  },
] as const

function matchRuleCauses(matchRule: JsonMap, field: string): Cause[] {
  const lists = ruleLists.flatMap(({ name, alone }) => {
    const values = read.texts(matchRule[name])
    const at = `${field}.${name}`
    if (values.length === 0) return [causes.required(at)]
    const plain = values.filter((value) => !value.includes('/'))
    return [
      ...(plain.includes('*') && plain.length > 1 ? [causes.invalid(at, values, alone)] : []),
      ...(name === 'apiVersions' || name === 'resources'
        ? values.flatMap((value, index) =>
            value === '' ? [causes.required(`${at}[${index}]`)] : [],
          )
        : []),
      ...(name === 'operations'
        ? values.flatMap((value, index) => choice(`${at}[${index}]`, value, operations))
        : []),
    ]
  })
  return [...lists, ...choice(`${field}.scope`, matchRule.scope, ['*', 'Cluster', 'Namespaced'])]
}

interface Compiled {
  list: string
  field: string
  names: readonly string[]
}

const causesOf = (policy_: KubeObject, { list, field, names }: Compiled): Cause[] =>
  dig
    .list(policy_, `spec.${list}`)
    .flatMap((each, at) =>
      compileCauses(each, { path: `spec.${list}[${at}].${field}`, field, names }),
    )

function compileCauses(
  holder: Json,
  { path, field, names }: { path: string; field: string; names: readonly string[] },
): Cause[] {
  const expression = dig.text(holder, field)
  if (expression === '') return []
  try {
    compileCel(expression, names)
    return []
  } catch (error) {
    if (!(error instanceof CelCompileError)) throw error
    const message = `Invalid value: ${JSON.stringify(expression)}: compilation failed: ${error.message}`
    return [{ reason: 'FieldValueInvalid', message, field: path }]
  }
}
