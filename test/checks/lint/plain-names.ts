import type { Rule } from 'eslint'

/**
 * Words that fit anything and so say nothing; the domain's noun or the verb of the deed says more.
 */
const vagueWord = /(Manager|Helper|Util|Utils|Utility|Info)(?![a-z])/
// Words of others that we must use as they are: Relay's page, Kubernetes' field managers, the
// messages of pg's protocol.
const given =
  /^(pageInfo|fieldManager\w*|managedFields\w*|handle(RowDescription|DataRow|CommandComplete|EmptyQuery|ReadyForQuery|PortalSuspended|Error|CopyInResponse|CopyData))$/i
const vagueVerb = /^(handle|process)([A-Z]|$)/

export const plainNames: Rule.RuleModule = {
  meta: { type: 'suggestion', schema: [] },
  create(context) {
    const thing = (node: Rule.Node) => report(node, vagueWord)
    const deed = (node: Rule.Node) => {
      report(node, vagueWord)
      report(node, vagueVerb)
    }
    // Kubernetes calls whoever applies fields their manager.
    const ofKubernetes = context.filename.includes('/server/sandbox/apiserver/')
      ? /manager$/i
      : null
    const report = (node: Rule.Node, pattern: RegExp) => {
      const name = nameOf(node).replace(ofKubernetes ?? /(?!)/, '')
      if (pattern.test(name) && !given.test(name))
        context.report({
          node,
          message: `"${name}" says little: use the domain's noun, or the verb of what it does`,
        })
    }
    return {
      'ClassDeclaration > Identifier.id': thing,
      'TSInterfaceDeclaration > Identifier.id': thing,
      'TSTypeAliasDeclaration > Identifier.id': thing,
      'FunctionDeclaration > Identifier.id': deed,
      'MethodDefinition > Identifier.key': deed,
      'VariableDeclarator[init.type=/^(ArrowFunction|Function)Expression$/] > Identifier.id': deed,
      'Property[value.type=/^(ArrowFunction|Function)Expression$/] > Identifier.key': deed,
    }
  },
}

function nameOf(node: Rule.Node): string {
  return node.type === 'Identifier' ? node.name : ''
}
