/** The kinds of NMState as `kubectl get` names them: desired and actual networks of nodes. */
export const names = {
  policies: 'nodenetworkconfigurationpolicies.nmstate.io',
  states: 'nodenetworkstates.nmstate.io',
} as const
