import { type Cause } from '../objects/cause.ts'
import { type KindHooks, type Schema } from '../objects/resource.ts'
import { dig } from '../objects/dig.ts'
import { type Json, type KubeObject } from '../objects/types.ts'
import { celNames } from '../admission/policies/names.ts'
import { CelCompileError, compileCel } from '../cel/cel.ts'
import * as shapes from './shared.ts'
import * as schemaTypes from '../objects/schema.ts'

const { atomic, atomicList, atomicTexts, each, listBy, object, structOf, text } = schemaTypes

const rule = object({
  ...each(atomicTexts, 'apiGroups', 'apiVersions', 'operations', 'resourceNames', 'resources'),
  scope: text,
})
const match = object({
  namespaceSelector: shapes.labelSelector,
  objectSelector: shapes.labelSelector,
  resourceRules: atomicList(atomic(rule)),
  excludeResourceRules: atomicList(atomic(rule)),
  matchPolicy: text,
})
const named = structOf(text, 'name', 'expression')

/** Schema of the kind ValidatingAdmissionPolicy. */
export const policy: Schema = object({
  spec: object({
    paramKind: atomic(structOf(text, 'apiVersion', 'kind')),
    matchConstraints: match,
    validations: atomicList(structOf(text, 'expression', 'message', 'messageExpression', 'reason')),
    failurePolicy: text,
    auditAnnotations: atomicList(structOf(text, 'key', 'valueExpression')),
    matchConditions: listBy(['name'], named),
    variables: listBy(['name'], named),
  }),
  status: schemaTypes.anything,
})

/** Schema of the kind ValidatingAdmissionPolicyBinding. */
export const binding: Schema = object({
  spec: object({
    policyName: text,
    paramRef: atomic(
      object({
        name: text,
        namespace: text,
        selector: shapes.labelSelector,
        parameterNotFoundAction: text,
      }),
    ),
    matchResources: match,
    validationActions: schemaTypes.setOf(text),
  }),
})

const defaulted = (object_: KubeObject): KubeObject => ({
  ...object_,
  spec: { failurePolicy: 'Fail', ...dig.map(object_, 'spec') },
})

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
    return [...variables, ...validations, ...messages, ...conditions]
  },
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
