import type { Rule } from 'eslint'

/**
 * Words that fit anything and therefore say nothing. The domain's noun or the verb of the action
 * says more.
 */
const vagueWord = /(Manager|Helper|Util|Utils|Utility|Info)(?![a-z])/
// Names of other APIs: Relay's page, Kubernetes' field managers, and messages of pg's protocol.
const foreignNames =
  /^(pageInfo|fieldManager\w*|managedFields\w*|handle(RowDescription|DataRow|CommandComplete|EmptyQuery|ReadyForQuery|PortalSuspended|Error|CopyInResponse|CopyData))$/i
const vagueVerb = /^(handle|process)([A-Z]|$)/

/** The lint rule that reports vague words in names. */
export const plainNames: Rule.RuleModule = {
  meta: { type: 'suggestion', schema: [] },
  create(context) {
    const thing = (node: Rule.Node) => report(node, vagueWord)
    const action = (node: Rule.Node) => {
      report(node, vagueWord)
      report(node, vagueVerb)
    }
    // Kubernetes calls a client that applies fields their manager.
    const kubernetesSuffix = context.filename.includes('/server/sandbox/apiserver/')
      ? /manager$/i
      : null
    const report = (node: Rule.Node, pattern: RegExp) => {
      const name = nameOf(node).replace(kubernetesSuffix ?? /(?!)/, '')
      if (pattern.test(name) && !foreignNames.test(name))
        context.report({
          node,
          message: `"${name}" is vague: use the domain's noun, or the verb of the action`,
        })
    }
    return {
      'ClassDeclaration > Identifier.id': thing,
      'TSInterfaceDeclaration > Identifier.id': thing,
      'TSTypeAliasDeclaration > Identifier.id': thing,
      'FunctionDeclaration > Identifier.id': action,
      'MethodDefinition > Identifier.key': action,
      'VariableDeclarator[init.type=/^(ArrowFunction|Function)Expression$/] > Identifier.id':
        action,
      'Property[value.type=/^(ArrowFunction|Function)Expression$/] > Identifier.key': action,
    }
  },
}

function nameOf(node: Rule.Node): string {
  return node.type === 'Identifier' ? node.name : ''
}
