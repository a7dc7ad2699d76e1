import type { RouteMeta } from 'vue-router'
import type { PlainMessage } from '../words/spoken.ts'

declare module 'vue-router' {
  interface RouteMeta {
    title: PlainMessage
    /** Shown without a session. */
    open?: true
    root?: true
    /** Uses the whole width. */
    wide?: true
  }
}

interface PageRoute extends RouteMeta {
  /** The folder of the page below `pages`. */
  page: string
  path: string
}

/** The console's addresses as data: the router and the build (web/first-load.ts) read them. */
export const routeTable = [
  { page: 'login', path: '/login', title: 'Log in', open: true },
  { page: 'overview', path: '/', title: 'Overview' },
  { page: 'templates', path: '/templates', title: 'Templates' },
  { page: 'ssh-keys', path: '/ssh-keys', title: 'SSH keys' },
  { page: 'vms', path: '/vms', title: 'Virtual machines' },
  { page: 'deploy', path: '/deploy', title: 'Deploy machine' },
  { page: 'vm', path: '/vms/:name', title: 'Virtual machine' },
  { page: 'vpcs', path: '/vpcs', title: 'VPCs' },
  { page: 'networks', path: '/networks', title: 'Networks' },
  { page: 'public-network', path: '/networks/public', title: 'Public network' },
  { page: 'security-groups', path: '/security-groups', title: 'Security groups' },
  { page: 'volumes', path: '/volumes', title: 'Volumes' },
  { page: 'snapshots', path: '/snapshots', title: 'Volume snapshots' },
  { page: 'vm-snapshots', path: '/vm-snapshots', title: 'VM snapshots' },
  { page: 'operations', path: '/operations', title: 'Operations' },
  { page: 'access', path: '/access', title: 'Access' },
  { page: 'settings', path: '/settings', title: 'Settings' },
  { page: 'playground', path: '/playground', title: 'Playground', wide: true },
  { page: 'tenants', path: '/tenants', title: 'Tenants', root: true },
  { page: 'offerings', path: '/offerings', title: 'Service offerings', root: true },
  { page: 'not-found', path: '/:rest(.*)*', title: 'Page not found' },
] as const satisfies readonly PageRoute[]

export type PageFolder = (typeof routeTable)[number]['page']
