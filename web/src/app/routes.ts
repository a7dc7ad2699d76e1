import type { RouteRecordRaw } from 'vue-router'

declare module 'vue-router' {
  interface RouteMeta {
    title: string
    open?: true
    root?: true
    /** Uses the whole width. */
    wide?: true
  }
}

const upcoming = () => import('../pages/upcoming/UpcomingPage.vue')

/** The nouns whose pages are still to come; each says what it will hold instead of pretending. */
const upcomingRoutes: RouteRecordRaw[] = [
  { path: '/vms', component: upcoming, meta: { title: 'Virtual machines' } },
  { path: '/vms/:name', component: upcoming, meta: { title: 'Virtual machine' } },
  { path: '/templates', component: upcoming, meta: { title: 'Templates' } },
  { path: '/vpcs', component: upcoming, meta: { title: 'VPCs' } },
  { path: '/networks', component: upcoming, meta: { title: 'Networks' } },
  { path: '/networks/public', component: upcoming, meta: { title: 'Public network' } },
  { path: '/volumes', component: upcoming, meta: { title: 'Volumes' } },
  { path: '/snapshots', component: upcoming, meta: { title: 'Volume snapshots' } },
  { path: '/vm-snapshots', component: upcoming, meta: { title: 'VM snapshots' } },
  { path: '/security-groups', component: upcoming, meta: { title: 'Security groups' } },
  { path: '/ssh-keys', component: upcoming, meta: { title: 'SSH keys' } },
]

export const routes: RouteRecordRaw[] = [
  { path: '/login', component: () => import('../pages/login/LoginPage.vue'), meta: { title: 'Log in', open: true } },
  { path: '/', component: () => import('../pages/overview/OverviewPage.vue'), meta: { title: 'Overview' } },
  ...upcomingRoutes,
  { path: '/operations', component: () => import('../pages/operations/OperationsPage.vue'), meta: { title: 'Operations' } },
  { path: '/access', component: () => import('../pages/access/AccessPage.vue'), meta: { title: 'Access' } },
  { path: '/settings', component: () => import('../pages/settings/SettingsPage.vue'), meta: { title: 'Settings' } },
  { path: '/playground', component: () => import('../pages/playground/PlaygroundPage.vue'), meta: { title: 'Playground', wide: true } },
  { path: '/tenants', component: () => import('../pages/tenants/TenantsPage.vue'), meta: { title: 'Tenants', root: true } },
  { path: '/offerings', component: () => import('../pages/offerings/OfferingsPage.vue'), meta: { title: 'Service offerings', root: true } },
  { path: '/:rest(.*)*', component: () => import('../pages/not-found/NotFoundPage.vue'), meta: { title: 'Page not found' } },
]
