import type { Rule } from 'eslint'

/**
 * A cast overrules the compiler, so it carries the reason why it is true: on its line or on the
 * line before. `as const` asserts nothing, and `as unknown` only forgets.
 */
export const explainCast: Rule.RuleModule = {
  meta: { type: 'suggestion', schema: [] },
  create(context) {
    const { sourceCode } = context
    const commentLines = new Set(
      sourceCode.getAllComments().flatMap(({ loc }) => (loc ? [loc.start.line, loc.end.line] : [])),
    )
    const check = (node: Rule.Node) => {
      if (harmless(sourceCode.getText(typeOf(node)))) return
      if (linesToLookAt(node).some((line) => commentLines.has(line))) return
      context.report({
        node,
        message: 'a cast needs a comment that says why it is true (on the line or the line before)',
      })
    }
    return { TSAsExpression: check, TSTypeAssertion: check }
  },
}

const harmless = (type: string): boolean => type === 'const' || type === 'unknown'

function linesToLookAt(node: Rule.Node): number[] {
  const statement = statementOf(node)
  const lines = [node.loc?.start.line, node.loc?.end.line, statement.loc?.start.line].filter(
    (line) => line !== undefined,
  )
  return lines.flatMap((line) => [line, line - 1])
}

/** The reason for a cast deep inside a chain of calls may stand above the whole statement. */
function statementOf(node: Rule.Node): Rule.Node {
  let current = node
  while (current.parent && current.parent.type !== 'Program' && !startsLine.test(current.type))
    current = current.parent
  return current
}

const startsLine = /(Statement|Declaration|PropertyDefinition)$/

function typeOf(node: Rule.Node): Rule.Node {
  // Both node types of TypeScript's tree carry it; ESLint's own tree does not know them.
  return (node as unknown as { typeAnnotation: Rule.Node }).typeAnnotation
}
