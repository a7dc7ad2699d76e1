import type { RouteRecordRaw } from 'vue-router'
import { type PageFolder, routeTable } from './route-table.ts'

const pages: Record<PageFolder, () => Promise<unknown>> = {
  login: () => import('../pages/login/LoginPage.vue'),
  overview: () => import('../pages/overview/OverviewPage.vue'),
  templates: () => import('../pages/templates/TemplatesPage.vue'),
  'ssh-keys': () => import('../pages/ssh-keys/SshKeysPage.vue'),
  vms: () => import('../pages/vms/VmsPage.vue'),
  deploy: () => import('../pages/deploy/DeployPage.vue'),
  vm: () => import('../pages/vm/VmPage.vue'),
  vpcs: () => import('../pages/vpcs/VpcsPage.vue'),
  networks: () => import('../pages/networks/NetworksPage.vue'),
  'public-network': () => import('../pages/public-network/PublicNetworkPage.vue'),
  'security-groups': () => import('../pages/security-groups/SecurityGroupsPage.vue'),
  volumes: () => import('../pages/volumes/VolumesPage.vue'),
  snapshots: () => import('../pages/snapshots/SnapshotsPage.vue'),
  'vm-snapshots': () => import('../pages/vm-snapshots/VmSnapshotsPage.vue'),
  operations: () => import('../pages/operations/OperationsPage.vue'),
  access: () => import('../pages/access/AccessPage.vue'),
  settings: () => import('../pages/settings/SettingsPage.vue'),
  playground: () => import('../pages/playground/PlaygroundPage.vue'),
  tenants: () => import('../pages/tenants/TenantsPage.vue'),
  offerings: () => import('../pages/offerings/OfferingsPage.vue'),
  'not-found': () => import('../pages/not-found/NotFoundPage.vue'),
}

export const routes: RouteRecordRaw[] = routeTable.map(({ page, path, ...meta }) => ({
  path,
  component: pages[page],
  meta,
}))
