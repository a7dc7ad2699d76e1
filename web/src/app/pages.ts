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

/** The entry of a page in the menu. */
interface MenuEntry {
  group: 'Compute' | 'Network' | 'Storage' | 'Tenant' | 'Platform'
  /** The position in the group, from 1. */
  position: number
  icon: Component
  /** The title, unless the menu has another label. */
  label?: PlainMessage
}

/** A command of the palette that opens a page, usually with a dialog. */
interface PageCommand {
  label: PlainMessage
  /** Further words that find the entry. */
  keywords: PlainMessage
  permission?: string
  /** The query of the URL. The default `{ new: 'yes' }` opens the dialog that creates a row. */
  query?: Readonly<Record<string, string>>
}

export interface Page extends RouteMeta {
  /** The folder of the page below `pages`. */
  page: string
  path: string
  menu?: MenuEntry
  /** The palette lists them in the order of the table. */
  commands?: readonly PageCommand[]
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
    commands: [
      {
        label: 'Deploy machine',
        keywords: 'new vm create server',
        permission: 'vms:write',
        query: {},
      },
    ],
  },
  {
    page: 'vms',
    path: '/vms',
    title: 'Virtual machines',
    menu: { group: 'Compute', position: 1, icon: Server },
  },
  { page: 'vm', path: '/vms/:name', title: 'Virtual machine' },
  {
    page: 'volumes',
    path: '/volumes',
    title: 'Volumes',
    menu: { group: 'Storage', position: 1, icon: HardDrive },
    commands: [{ label: 'New volume', keywords: 'create disk', permission: 'volumes:write' }],
  },
  {
    page: 'networks',
    path: '/networks',
    title: 'Networks',
    menu: { group: 'Network', position: 2, icon: Network },
    commands: [{ label: 'New network', keywords: 'create subnet', permission: 'networks:write' }],
  },
  {
    page: 'public-network',
    path: '/networks/public',
    title: 'Public network',
    menu: { group: 'Network', position: 3, icon: Globe },
  },
  {
    page: 'vpcs',
    path: '/vpcs',
    title: 'VPCs',
    menu: { group: 'Network', position: 1, icon: Boxes },
    commands: [{ label: 'New VPC', keywords: 'create', permission: 'vpcs:write' }],
  },
  {
    page: 'security-groups',
    path: '/security-groups',
    title: 'Security groups',
    menu: { group: 'Network', position: 4, icon: ShieldCheck },
    commands: [
      {
        label: 'New security group',
        keywords: 'create firewall',
        permission: 'security_groups:write',
      },
    ],
  },
  {
    page: 'vm-snapshots',
    path: '/vm-snapshots',
    title: 'VM snapshots',
    menu: { group: 'Storage', position: 3, icon: ScanLine },
    commands: [
      { label: 'New VM snapshot', keywords: 'take machine', permission: 'vms:write' },
      {
        label: 'New VM snapshot schedule',
        keywords: 'backup nightly cron',
        permission: 'vms:write',
        query: { show: 'schedules', new: 'yes' },
      },
    ],
  },
  {
    page: 'snapshots',
    path: '/snapshots',
    title: 'Volume snapshots',
    menu: { group: 'Storage', position: 2, icon: Camera },
    commands: [
      {
        label: 'New volume snapshot schedule',
        keywords: 'backup nightly cron',
        permission: 'volumes:write',
        query: { show: 'schedules', new: 'yes' },
      },
    ],
  },
  {
    page: 'templates',
    path: '/templates',
    title: 'Templates',
    menu: { group: 'Compute', position: 2, icon: Disc3 },
    commands: [{ label: 'New template', keywords: 'import iso image', permission: 'vms:write' }],
  },
  {
    page: 'ssh-keys',
    path: '/ssh-keys',
    title: 'SSH keys',
    menu: { group: 'Compute', position: 3, icon: KeyRound },
    commands: [{ label: 'New SSH key', keywords: 'create register', permission: 'ssh_keys:write' }],
  },
  {
    page: 'operations',
    path: '/operations',
    title: 'Operations',
    menu: { group: 'Tenant', position: 1, icon: Activity },
  },
  {
    page: 'access',
    path: '/access',
    title: 'Access',
    menu: { group: 'Tenant', position: 2, icon: UserRoundCog },
    commands: [
      {
        label: 'New user',
        keywords: 'create invite',
        permission: 'users:write',
        query: { tab: 'users', new: 'yes' },
      },
      {
        label: 'New role',
        keywords: 'create',
        permission: 'users:write',
        query: { tab: 'roles', new: 'yes' },
      },
      { label: 'New API key', keywords: 'create token', query: { tab: 'keys', new: 'yes' } },
    ],
  },
  {
    page: 'settings',
    path: '/settings',
    title: 'Settings',
    menu: { group: 'Tenant', position: 4, icon: Settings },
  },
  {
    page: 'playground',
    path: '/playground',
    title: 'Playground',
    wide: true,
    menu: { group: 'Tenant', position: 3, icon: SquareTerminal },
  },
  {
    page: 'tenants',
    path: '/tenants',
    title: 'Tenants',
    root: true,
    menu: { group: 'Platform', position: 1, icon: Building2 },
    commands: [{ label: 'New tenant', keywords: 'create customer' }],
  },
  {
    page: 'offerings',
    path: '/offerings',
    title: 'Service offerings',
    root: true,
    menu: { group: 'Platform', position: 2, icon: Cpu, label: 'Offerings' },
    commands: [{ label: 'New offering', keywords: 'create size flavour' }],
  },
  { page: 'not-found', path: '/:rest(.*)*', title: 'Page not found' },
] as const satisfies readonly Page[]

export type PageFolder = (typeof pages)[number]['page']
