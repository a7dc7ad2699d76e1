import type { RouteMeta } from 'vue-router'
import type { PlainMessage } from '../i18n/active-locale.ts'

declare module 'vue-router' {
  interface RouteMeta {
    title: PlainMessage
    /** The page needs no session. */
    open?: true
    root?: true
    /** The page uses the whole width. */
    wide?: true
  }
}

export interface Page extends RouteMeta {
  /** The folder of the page below `pages`. */
  page: string
  path: string
}

/**
 * The console's pages as data. The router, the menu, the command palette and the build
 * (web/first-load.ts) read them.
 */
export const pages = [
  { page: 'login', path: '/login', title: 'Log in', open: true },
  { page: 'second-factor', path: '/second-factor', title: 'Set up a second factor', open: true },
  { page: 'overview', path: '/', title: 'Overview' },
  { page: 'deploy', path: '/deploy', title: 'Deploy machine' },
  { page: 'vms', path: '/vms', title: 'Virtual machines' },
  { page: 'vm', path: '/vms/:name', title: 'Virtual machine' },
  { page: 'volumes', path: '/volumes', title: 'Volumes' },
  { page: 'networks', path: '/networks', title: 'Networks' },
  { page: 'public-network', path: '/networks/public', title: 'Public network' },
  { page: 'vpcs', path: '/vpcs', title: 'VPCs' },
  { page: 'security-groups', path: '/security-groups', title: 'Security groups' },
  { page: 'vm-snapshots', path: '/vm-snapshots', title: 'VM snapshots' },
  { page: 'snapshots', path: '/snapshots', title: 'Volume snapshots' },
  { page: 'templates', path: '/templates', title: 'Templates' },
  { page: 'ssh-keys', path: '/ssh-keys', title: 'SSH keys' },
  { page: 'operations', path: '/operations', title: 'Operations' },
  { page: 'access', path: '/access', title: 'Access' },
  { page: 'settings', path: '/settings', title: 'Settings' },
  { page: 'playground', path: '/playground', title: 'Playground', wide: true },
  { page: 'tenants', path: '/tenants', title: 'Tenants', root: true },
  { page: 'offerings', path: '/offerings', title: 'Service offerings', root: true },
  { page: 'platform-vms', path: '/platform-vms', title: 'VMs of all tenants', root: true },
  { page: 'cluster', path: '/cluster', title: 'Cluster', root: true },
  { page: 'not-found', path: '/:rest(.*)*', title: 'Page not found' },
] as const satisfies readonly Page[]

export type PageFolder = (typeof pages)[number]['page']
