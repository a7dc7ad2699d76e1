import type { Rule } from 'eslint'

// Vite, vitest and knip read the default export of their files.
const needsDefault = /(\.config\.[jt]s|\.d\.ts|\.vue|-reporter\.ts|-setup\.ts|\/knip\.ts)$/

/**
 * Requires named exports and no barrels, so that a thing has one name and is imported from one
 * file.
 */
export const namedExports: Rule.RuleModule = {
  meta: { type: 'suggestion', schema: [] },
  create(context) {
    return {
      ExportAllDeclaration(node) {
        context.report({ node, message: 'no barrels: import the file that declares it' })
      },
      ExportDefaultDeclaration(node) {
        if (needsDefault.test(context.filename)) return
        context.report({
          node,
          message: 'named exports only, so that a thing has one name everywhere',
        })
      },
    }
  },
}
