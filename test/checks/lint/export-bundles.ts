import type { Rule } from 'eslint'

/**
 * An exported object whose properties are all names of the same file is a list of exports. The
 * functions are exported themselves, and a caller imports `* as` to get one name for all.
 */
export const noExportBundles: Rule.RuleModule = {
  meta: { type: 'suggestion', schema: [] },
  create(context) {
    return {
      'ExportNamedDeclaration > VariableDeclaration > VariableDeclarator > ObjectExpression'(
        node: Extract<Rule.Node, { type: 'ObjectExpression' }>,
      ) {
        const { properties } = node
        if (properties.length < 2) return
        if (!properties.every((property) => property.type === 'Property' && property.shorthand))
          return
        context.report({
          node,
          message: 'an export bundle: export its parts, and import `* as` where one name helps',
        })
      },
    }
  },
}
