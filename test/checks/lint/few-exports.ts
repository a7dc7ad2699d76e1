import type { Rule } from 'eslint'

type NamedExport = Extract<Rule.Node, { type: 'ExportNamedDeclaration' }>

const most = 4

// Vite, vitest and knip read the default export of what they load.
const wantsDefault = /(\.config\.[jt]s|\.d\.ts|\.vue|-reporter\.ts|-setup\.ts|\/knip\.ts)$/

/** A file with many exported things is several files. Types are free: they are the words its functions speak. */
export const fewExports: Rule.RuleModule = {
  meta: { type: 'suggestion', schema: [] },
  create(context) {
    let count = 0
    return {
      ExportNamedDeclaration(node) {
        count += valuesIn(node)
      },
      ExportAllDeclaration(node) {
        context.report({ node, message: 'no barrels: import the file that holds the thing' })
      },
      ExportDefaultDeclaration(node) {
        if (!wantsDefault.test(context.filename))
          context.report({ node, message: 'named exports only, so that a thing has one name everywhere' })
      },
      'Program:exit'(node) {
        if (count > most) context.report({ node, message: `${count} exports (types not counted); ${most} is the limit` })
      },
    }
  },
}

function valuesIn(node: Omit<NamedExport, 'parent'> & { exportKind?: string }): number {
  if (node.exportKind === 'type') return 0
  if (node.declaration?.type === 'ClassDeclaration' && schemaType.test(decorators(node.declaration))) return 0
  if (!node.declaration) return node.specifiers.length
  return node.declaration.type === 'VariableDeclaration' ? node.declaration.declarations.length : 1
}

// TypeGraphQL writes the types of its schema as classes; they are words too.
const schemaType = /@(Object|Input|Args|Interface)Type\(/

function decorators(node: unknown): string {
  // ESLint's tree does not know decorators; the parser of TypeScript puts them here.
  const { decorators: list = [] } = node as { decorators?: readonly { expression?: { callee?: { name?: string } } }[] }
  return list.map(({ expression }) => `@${expression?.callee?.name ?? ''}(`).join(' ')
}
