/** Variables of policy expressions. The sandbox does not support `authorizer`. */
export const celNames: readonly string[] = [
  'object',
  'oldObject',
  'request',
  'params',
  'namespaceObject',
]
