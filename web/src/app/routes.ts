import type { RouteRecordRaw } from 'vue-router'
import type { PlainMessage } from '../words/spoken.ts'

declare module 'vue-router' {
  interface RouteMeta {
    title: PlainMessage
    open?: true
    root?: true
    /** Uses the whole width. */
    wide?: true
  }
}

export const routes: RouteRecordRaw[] = [
  {
    path: '/login',
    component: () => import('../pages/login/LoginPage.vue'),
    meta: { title: 'Log in', open: true },
  },
  {
    path: '/',
    component: () => import('../pages/overview/OverviewPage.vue'),
    meta: { title: 'Overview' },
  },
  {
    path: '/templates',
    component: () => import('../pages/templates/TemplatesPage.vue'),
    meta: { title: 'Templates' },
  },
  {
    path: '/ssh-keys',
    component: () => import('../pages/ssh-keys/SshKeysPage.vue'),
    meta: { title: 'SSH keys' },
  },
  {
    path: '/vms',
    component: () => import('../pages/vms/VmsPage.vue'),
    meta: { title: 'Virtual machines' },
  },
  {
    path: '/deploy',
    component: () => import('../pages/deploy/DeployPage.vue'),
    meta: { title: 'Deploy machine' },
  },
  {
    path: '/vms/:name',
    component: () => import('../pages/vm/VmPage.vue'),
    meta: { title: 'Virtual machine' },
  },
  { path: '/vpcs', component: () => import('../pages/vpcs/VpcsPage.vue'), meta: { title: 'VPCs' } },
  {
    path: '/networks',
    component: () => import('../pages/networks/NetworksPage.vue'),
    meta: { title: 'Networks' },
  },
  {
    path: '/networks/public',
    component: () => import('../pages/public-network/PublicNetworkPage.vue'),
    meta: { title: 'Public network' },
  },
  {
    path: '/security-groups',
    component: () => import('../pages/security-groups/SecurityGroupsPage.vue'),
    meta: { title: 'Security groups' },
  },
  {
    path: '/volumes',
    component: () => import('../pages/volumes/VolumesPage.vue'),
    meta: { title: 'Volumes' },
  },
  {
    path: '/snapshots',
    component: () => import('../pages/snapshots/SnapshotsPage.vue'),
    meta: { title: 'Volume snapshots' },
  },
  {
    path: '/vm-snapshots',
    component: () => import('../pages/vm-snapshots/VmSnapshotsPage.vue'),
    meta: { title: 'VM snapshots' },
  },
  {
    path: '/operations',
    component: () => import('../pages/operations/OperationsPage.vue'),
    meta: { title: 'Operations' },
  },
  {
    path: '/access',
    component: () => import('../pages/access/AccessPage.vue'),
    meta: { title: 'Access' },
  },
  {
    path: '/settings',
    component: () => import('../pages/settings/SettingsPage.vue'),
    meta: { title: 'Settings' },
  },
  {
    path: '/playground',
    component: () => import('../pages/playground/PlaygroundPage.vue'),
    meta: { title: 'Playground', wide: true },
  },
  {
    path: '/tenants',
    component: () => import('../pages/tenants/TenantsPage.vue'),
    meta: { title: 'Tenants', root: true },
  },
  {
    path: '/offerings',
    component: () => import('../pages/offerings/OfferingsPage.vue'),
    meta: { title: 'Service offerings', root: true },
  },
  {
    path: '/:rest(.*)*',
    component: () => import('../pages/not-found/NotFoundPage.vue'),
    meta: { title: 'Page not found' },
  },
]
