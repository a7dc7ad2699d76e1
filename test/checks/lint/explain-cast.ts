import type { Rule } from 'eslint'

/**
 * A cast overrules the compiler, so a comment on its line or the line before must say why it is
 * true. `as const` and `as unknown` assert nothing.
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
      if (linesForReason(node).some((line) => commentLines.has(line))) return
      context.report({
        node,
        message: 'a cast needs a comment that says why it is true (on the line or the line before)',
      })
    }
    return { TSAsExpression: check, TSTypeAssertion: check }
  },
}

const harmless = (type: string): boolean => type === 'const' || type === 'unknown'

function linesForReason(node: Rule.Node): number[] {
  const statement = statementOf(node)
  const lines = [node.loc?.start.line, node.loc?.end.line, statement.loc?.start.line].filter(
    (line) => line !== undefined,
  )
  return lines.flatMap((line) => [line, line - 1])
}

/**
 * Returns the whole statement, because the reason for a cast deep inside it may stand above the
 * statement.
 */
function statementOf(node: Rule.Node): Rule.Node {
  let current = node
  while (current.parent && current.parent.type !== 'Program' && !startsLine.test(current.type))
    current = current.parent
  return current
}

const startsLine = /(Statement|Declaration|PropertyDefinition)$/

function typeOf(node: Rule.Node): Rule.Node {
  // Both node types of the TypeScript tree have this property; ESLint's types do not declare it.
  return (node as unknown as { typeAnnotation: Rule.Node }).typeAnnotation
}
