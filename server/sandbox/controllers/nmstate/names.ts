export const names = {
  policies: 'nodenetworkconfigurationpolicies.nmstate.io',
  states: 'nodenetworkstates.nmstate.io',
} as const
