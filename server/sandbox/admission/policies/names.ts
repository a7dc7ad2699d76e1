/** What expressions of a policy can speak of. Questions to the authorizer are not answered here. */
export const celNames: readonly string[] = [
  'object',
  'oldObject',
  'request',
  'params',
  'namespaceObject',
]
