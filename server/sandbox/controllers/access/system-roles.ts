import { type RoleRow, subresourceList, nonResourceRule, rule, verbs } from './role-rules.ts'

const { all, read, write } = verbs
const apps = 'apps'
const rbac = 'rbac.authorization.k8s.io'
const workloads =
  'statefulsets statefulsets/scale daemonsets deployments deployments/scale replicasets replicasets/scale'
const readableWorkloads = `controllerrevisions ${workloads} ${subresourceList('daemonsets', 'status')} ${subresourceList('deployments', 'status')}`
const podStreams = subresourceList('pods', 'attach proxy exec portforward')

const viewRules = [
  rule(
    read,
    '',
    'configmaps endpoints persistentvolumeclaims persistentvolumeclaims/status pods replicationcontrollers',
  ),
  rule(read, '', 'replicationcontrollers/scale serviceaccounts services services/status'),
  rule(
    read,
    '',
    'bindings events limitranges namespaces/status pods/log pods/status replicationcontrollers/status resourcequotas',
  ),
  rule(read, '', 'resourcequotas/status namespaces'),
  rule(read, 'discovery.k8s.io', 'endpointslices'),
  rule(read, apps, `${readableWorkloads} replicasets/status statefulsets/status`),
  rule(read, 'autoscaling', 'horizontalpodautoscalers horizontalpodautoscalers/status'),
  rule(read, 'batch', 'cronjobs cronjobs/status jobs jobs/status'),
  rule(read, 'policy', 'poddisruptionbudgets poddisruptionbudgets/status'),
  rule(read, 'networking.k8s.io', 'ingresses ingresses/status networkpolicies'),
]

const editRules = [
  rule(read, '', `${podStreams} secrets services/proxy`),
  rule('impersonate', '', 'serviceaccounts'),
  rule(write, '', `pods ${podStreams}`),
  rule('create', '', 'pods/eviction'),
  rule(
    write,
    '',
    'configmaps events persistentvolumeclaims replicationcontrollers replicationcontrollers/scale secrets',
  ),
  rule(write, '', 'serviceaccounts services services/proxy'),
  rule('create', '', 'serviceaccounts/token'),
  rule(write, apps, `${workloads} deployments/rollback`),
  rule(write, 'autoscaling', 'horizontalpodautoscalers'),
  rule(write, 'batch', 'cronjobs jobs'),
  rule(write, 'policy', 'poddisruptionbudgets'),
  rule(write, 'networking.k8s.io', 'ingresses networkpolicies'),
  rule(all, 'coordination.k8s.io', 'leases'),
]

const adminRules = [
  rule('create', 'authorization.k8s.io', 'localsubjectaccessreviews'),
  rule(all, rbac, 'rolebindings roles'),
]

const aggregates = (to: string): Record<string, string> => ({
  [`${rbac}/aggregate-to-${to}`]: 'true',
})

const publicPaths = '/healthz /livez /readyz /version /version/'
const discoveryPaths =
  '/api /api/* /apis /apis/* /healthz /livez /openapi /openapi/* /readyz /version /version/'
const issuerPaths =
  '/.well-known/openid-configuration /.well-known/openid-configuration/ /openid/v1/jwks /openid/v1/jwks/'
const authenticatedUsers = 'system:authenticated'

/** The default ClusterRoles of Kubernetes that the sandbox and its clients rely on. */
export const systemRoles: readonly RoleRow[] = [
  {
    name: 'cluster-admin',
    rules: [rule('*', '*', '*'), nonResourceRule('*', '*')],
    boundTo: ['system:masters'],
  },
  {
    name: 'system:basic-user',
    boundTo: [authenticatedUsers],
    rules: [
      rule('create', 'authorization.k8s.io', 'selfsubjectaccessreviews selfsubjectrulesreviews'),
      rule('create', 'authentication.k8s.io', 'selfsubjectreviews'),
    ],
  },
  {
    name: 'system:discovery',
    boundTo: [authenticatedUsers],
    rules: [
      nonResourceRule('get', '/.well-known /.well-known/*'),
      nonResourceRule('get', discoveryPaths),
    ],
  },
  {
    name: 'system:service-account-issuer-discovery',
    boundTo: ['system:serviceaccounts'],
    rules: [nonResourceRule('get', issuerPaths)],
  },
  {
    name: 'system:public-info-viewer',
    boundTo: [authenticatedUsers, 'system:unauthenticated'],
    rules: [nonResourceRule('get', publicPaths)],
  },
  {
    name: 'system:auth-delegator',
    rules: [
      rule('create', 'authentication.k8s.io', 'tokenreviews'),
      rule('create', 'authorization.k8s.io', 'subjectaccessreviews'),
    ],
  },
  { name: 'system:aggregate-to-view', labels: aggregates('view'), rules: viewRules },
  { name: 'system:aggregate-to-edit', labels: aggregates('edit'), rules: editRules },
  { name: 'system:aggregate-to-admin', labels: aggregates('admin'), rules: adminRules },
  { name: 'view', labels: aggregates('edit'), aggregatedFrom: 'view' },
  { name: 'edit', labels: aggregates('admin'), aggregatedFrom: 'edit' },
  { name: 'admin', aggregatedFrom: 'admin' },
]
