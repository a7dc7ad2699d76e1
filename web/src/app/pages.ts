import {
  Activity,
  Boxes,
  Building2,
  Camera,
  Cpu,
  Disc3,
  Globe,
  HardDrive,
  KeyRound,
  Network,
  ScanLine,
  Server,
  Settings,
  ShieldCheck,
  SquareTerminal,
  UserRoundCog,
} from '@lucide/vue'
import type { Component } from 'vue'
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

/** Where the menu has a page. */
interface MenuPlace {
  group: 'Compute' | 'Network' | 'Storage' | 'Tenant' | 'Platform'
  /** The position in the group. */
  at: number
  icon: Component
  /** The title, unless the menu has another label. */
  label?: PlainMessage
}

/** A thing that the command palette begins on a page. */
interface Beginning {
  label: PlainMessage
  /** Words that find the entry besides its label. */
  also: PlainMessage
  permission?: string
  /** Opens the dialog for a new thing, unless another query is given. */
  query?: Readonly<Record<string, string>>
}

export interface Page extends RouteMeta {
  /** The folder of the page below `pages`. */
  page: string
  path: string
  menu?: MenuPlace
  /** In the palette these come in the order of the table. */
  begins?: readonly Beginning[]
}

/**
 * The console's pages as data. The router, the menu, the command palette and the build
 * (web/first-load.ts) read them.
 */
export const pages = [
  { page: 'login', path: '/login', title: 'Log in', open: true },
  { page: 'overview', path: '/', title: 'Overview' },
  {
    page: 'deploy',
    path: '/deploy',
    title: 'Deploy machine',
    begins: [
      {
        label: 'Deploy machine',
        also: 'new vm create server',
        permission: 'vms:write',
        query: {},
      },
    ],
  },
  {
    page: 'vms',
    path: '/vms',
    title: 'Virtual machines',
    menu: { group: 'Compute', at: 1, icon: Server },
  },
  { page: 'vm', path: '/vms/:name', title: 'Virtual machine' },
  {
    page: 'volumes',
    path: '/volumes',
    title: 'Volumes',
    menu: { group: 'Storage', at: 1, icon: HardDrive },
    begins: [{ label: 'New volume', also: 'create disk', permission: 'volumes:write' }],
  },
  {
    page: 'networks',
    path: '/networks',
    title: 'Networks',
    menu: { group: 'Network', at: 2, icon: Network },
    begins: [{ label: 'New network', also: 'create subnet', permission: 'networks:write' }],
  },
  {
    page: 'public-network',
    path: '/networks/public',
    title: 'Public network',
    menu: { group: 'Network', at: 3, icon: Globe },
  },
  {
    page: 'vpcs',
    path: '/vpcs',
    title: 'VPCs',
    menu: { group: 'Network', at: 1, icon: Boxes },
    begins: [{ label: 'New VPC', also: 'create', permission: 'vpcs:write' }],
  },
  {
    page: 'security-groups',
    path: '/security-groups',
    title: 'Security groups',
    menu: { group: 'Network', at: 4, icon: ShieldCheck },
    begins: [
      {
        label: 'New security group',
        also: 'create firewall',
        permission: 'security_groups:write',
      },
    ],
  },
  {
    page: 'vm-snapshots',
    path: '/vm-snapshots',
    title: 'VM snapshots',
    menu: { group: 'Storage', at: 3, icon: ScanLine },
    begins: [
      { label: 'New VM snapshot', also: 'take machine', permission: 'vms:write' },
      {
        label: 'New VM snapshot schedule',
        also: 'backup nightly cron',
        permission: 'vms:write',
        query: { show: 'schedules', new: 'yes' },
      },
    ],
  },
  {
    page: 'snapshots',
    path: '/snapshots',
    title: 'Volume snapshots',
    menu: { group: 'Storage', at: 2, icon: Camera },
    begins: [
      {
        label: 'New volume snapshot schedule',
        also: 'backup nightly cron',
        permission: 'volumes:write',
        query: { show: 'schedules', new: 'yes' },
      },
    ],
  },
  {
    page: 'templates',
    path: '/templates',
    title: 'Templates',
    menu: { group: 'Compute', at: 2, icon: Disc3 },
    begins: [{ label: 'New template', also: 'import iso image', permission: 'vms:write' }],
  },
  {
    page: 'ssh-keys',
    path: '/ssh-keys',
    title: 'SSH keys',
    menu: { group: 'Compute', at: 3, icon: KeyRound },
    begins: [{ label: 'New SSH key', also: 'create register', permission: 'ssh_keys:write' }],
  },
  {
    page: 'operations',
    path: '/operations',
    title: 'Operations',
    menu: { group: 'Tenant', at: 1, icon: Activity },
  },
  {
    page: 'access',
    path: '/access',
    title: 'Access',
    menu: { group: 'Tenant', at: 2, icon: UserRoundCog },
    begins: [
      {
        label: 'New user',
        also: 'create invite',
        permission: 'users:write',
        query: { tab: 'users', new: 'yes' },
      },
      {
        label: 'New role',
        also: 'create',
        permission: 'users:write',
        query: { tab: 'roles', new: 'yes' },
      },
      { label: 'New API key', also: 'create token', query: { tab: 'keys', new: 'yes' } },
    ],
  },
  {
    page: 'settings',
    path: '/settings',
    title: 'Settings',
    menu: { group: 'Tenant', at: 4, icon: Settings },
  },
  {
    page: 'playground',
    path: '/playground',
    title: 'Playground',
    wide: true,
    menu: { group: 'Tenant', at: 3, icon: SquareTerminal },
  },
  {
    page: 'tenants',
    path: '/tenants',
    title: 'Tenants',
    root: true,
    menu: { group: 'Platform', at: 1, icon: Building2 },
    begins: [{ label: 'New tenant', also: 'create customer' }],
  },
  {
    page: 'offerings',
    path: '/offerings',
    title: 'Service offerings',
    root: true,
    menu: { group: 'Platform', at: 2, icon: Cpu, label: 'Offerings' },
    begins: [{ label: 'New offering', also: 'create size flavour' }],
  },
  { page: 'not-found', path: '/:rest(.*)*', title: 'Page not found' },
] as const satisfies readonly Page[]

export type PageFolder = (typeof pages)[number]['page']
