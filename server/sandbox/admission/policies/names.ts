/**
 * The variables that the CEL expressions of an admission policy may use. The sandbox does not
 * support `authorizer`.
 */
export const celNames: readonly string[] = [
  'object',
  'oldObject',
  'request',
  'params',
  'namespaceObject',
]
