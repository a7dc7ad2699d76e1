import type { Rule } from 'eslint'

// Vite, vitest and knip read the default export of what they load.
const wantsDefault = /(\.config\.[jt]s|\.d\.ts|\.vue|-reporter\.ts|-setup\.ts|\/knip\.ts)$/

/** A thing has one name everywhere, and one file that it is imported from. */
export const namedExports: Rule.RuleModule = {
  meta: { type: 'suggestion', schema: [] },
  create(context) {
    return {
      ExportAllDeclaration(node) {
        context.report({ node, message: 'no barrels: import the file that holds the thing' })
      },
      ExportDefaultDeclaration(node) {
        if (wantsDefault.test(context.filename)) return
        context.report({
          node,
          message: 'named exports only, so that a thing has one name everywhere',
        })
      },
    }
  },
}
