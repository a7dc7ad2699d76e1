import { type PartVerb, type Subresource } from '../objects/resource.ts'

const changed: readonly PartVerb[] = ['get', 'patch', 'update']
const opened: readonly PartVerb[] = ['create', 'get']
const anyVerb: readonly PartVerb[] = ['create', 'delete', 'get', 'patch', 'update']

const ofCore = (kind: string): Pick<Required<Subresource>, 'kind'> => ({
  kind: { group: '', version: '', kind },
})

const proxyOf = (kind: string): Subresource => ({
  name: 'proxy',
  verbs: anyVerb,
  ...ofCore(`${kind}ProxyOptions`),
})

/** Subresources of built-in kinds, except `status`. */
export const subresources = {
  finalize: { name: 'finalize', verbs: ['update'] },
  scale: {
    name: 'scale',
    verbs: changed,
    kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
  },
  token: {
    name: 'token',
    verbs: ['create'],
    kind: { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' },
  },
  approval: { name: 'approval', verbs: changed },
  proxyOf,
  ofPods: [
    { name: 'attach', verbs: opened, ...ofCore('PodAttachOptions') },
    { name: 'binding', verbs: ['create'], ...ofCore('Binding') },
    { name: 'ephemeralcontainers', verbs: changed },
    {
      name: 'eviction',
      verbs: ['create'],
      kind: { group: 'policy', version: 'v1', kind: 'Eviction' },
    },
    { name: 'exec', verbs: opened, ...ofCore('PodExecOptions') },
    { name: 'log', verbs: ['get'] },
    { name: 'portforward', verbs: opened, ...ofCore('PodPortForwardOptions') },
    proxyOf('Pod'),
    { name: 'resize', verbs: changed },
  ],
} satisfies Record<string, Subresource | readonly Subresource[] | typeof proxyOf>
