import type { Rule } from 'eslint'

/**
 * `...{ a, b }` is the same as `a, b`. It only keeps the formatter from breaking lines, and a
 * reader must undo it first.
 */
export const noPackedLiterals: Rule.RuleModule = {
  meta: { type: 'suggestion', schema: [], fixable: 'code' },
  create(context) {
    const { sourceCode } = context
    return {
      SpreadElement(node) {
        const { argument } = node
        const packed =
          (argument.type === 'ObjectExpression' && node.parent.type === 'ObjectExpression') ||
          (argument.type === 'ArrayExpression' && node.parent.type !== 'ObjectExpression')
        if (!packed) return
        const inner = sourceCode.getText(argument).slice(1, -1).trim().replace(/,$/, '')
        context.report({
          node,
          message: 'a literal that is spread into a literal only packs lines: write its parts out',
          fix: (fixer) => fixer.replaceText(node, inner),
        })
      },
    }
  },
}
