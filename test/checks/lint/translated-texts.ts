import type { Rule } from 'eslint'
import { texts } from '../../../schema/messages/pt-BR/console/texts.ts'

/** Names of properties that hold texts for users. */
const textProperty = /^(label|title|words|lead|hint|note|why|text|empty|summary|sentence|remedy)$/
const sentence = /^[A-Z][\w’'-]* [\w“(]/
const beginning = /^(?!Bearer )[A-Z][a-z]+ $|^[A-Z][a-z]+ [a-z]/
/** Names that are the same in every language. */
const names = /^(curl|GraphQL|Linux|Terraform|Windows)$/

interface Parsers {
  defineTemplateBodyVisitor?(
    inTemplate: Rule.NodeListener,
    inScript: Rule.NodeListener,
  ): Rule.RuleListener
}

/**
 * Requires every text for users to be a message, so that it exists in every language. Untranslated
 * texts must not reach a page.
 */
export const translatedTexts: Rule.RuleModule = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    const report = (node: Rule.Node, words: string) =>
      context.report({
        node,
        message: `“${words}” is a text for users: use t() and add it to schema/messages/pt-BR/console`,
      })
    const listener: Rule.NodeListener = {
      Literal(node) {
        const { value } = node
        if (typeof value !== 'string' || value in texts || !isForPeople(value, node)) return
        report(node, value)
      },
      TemplateLiteral(node) {
        const first = node.quasis[0]?.value.cooked ?? ''
        if (node.expressions.length > 0 && beginning.test(first) && !isForProgrammers(node))
          report(node, `${first}…`)
      },
    }
    // Parser services are untyped. Only the parser of .vue files has this one.
    const { defineTemplateBodyVisitor } = context.sourceCode.parserServices as Parsers
    return defineTemplateBodyVisitor?.(listener, listener) ?? listener
  },
}

function isForPeople(words: string, node: Rule.Node): boolean {
  const { parent } = node
  if (!parent || names.test(words) || isForProgrammers(node)) return false
  const holds =
    parent.type === 'Property' &&
    parent.value.type === 'Literal' &&
    parent.key.type === 'Identifier'
      ? parent.key.name
      : ''
  return (
    sentence.test(words) ||
    (textProperty.test(holds) && /[a-z]{3}/.test(words) && !words.includes('\n'))
  )
}

const isForProgrammers = ({ parent }: Rule.Node): boolean =>
  parent?.type === 'NewExpression' &&
  parent.callee.type === 'Identifier' &&
  parent.callee.name.endsWith('Error')
