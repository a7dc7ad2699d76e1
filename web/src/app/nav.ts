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
  LayoutGrid,
  Network,
  ScanLine,
  Server,
  Settings,
  ShieldCheck,
  SquareTerminal,
  UserRoundCog,
} from '@lucide/vue'
import type { Component } from 'vue'
import type { PlainMessage } from '../words/spoken.ts'

export interface NavItem {
  to: string
  label: PlainMessage
  icon: Component
}
export interface NavGroup {
  label: PlainMessage
  root?: true
  items: readonly NavItem[]
}

export const navGroups: readonly NavGroup[] = [
  {
    label: 'Compute',
    items: [
      { to: '/vms', label: 'Virtual machines', icon: Server },
      { to: '/templates', label: 'Templates', icon: Disc3 },
      { to: '/ssh-keys', label: 'SSH keys', icon: KeyRound },
    ],
  },
  {
    label: 'Network',
    items: [
      { to: '/vpcs', label: 'VPCs', icon: Boxes },
      { to: '/networks', label: 'Networks', icon: Network },
      { to: '/networks/public', label: 'Public network', icon: Globe },
      { to: '/security-groups', label: 'Security groups', icon: ShieldCheck },
    ],
  },
  {
    label: 'Storage',
    items: [
      { to: '/volumes', label: 'Volumes', icon: HardDrive },
      { to: '/snapshots', label: 'Volume snapshots', icon: Camera },
      { to: '/vm-snapshots', label: 'VM snapshots', icon: ScanLine },
    ],
  },
  {
    label: 'Tenant',
    items: [
      { to: '/operations', label: 'Operations', icon: Activity },
      { to: '/access', label: 'Access', icon: UserRoundCog },
      { to: '/playground', label: 'Playground', icon: SquareTerminal },
      { to: '/settings', label: 'Settings', icon: Settings },
    ],
  },
  {
    label: 'Platform',
    root: true,
    items: [
      { to: '/tenants', label: 'Tenants', icon: Building2 },
      { to: '/offerings', label: 'Offerings', icon: Cpu },
    ],
  },
]

export const overviewItem: NavItem = { to: '/', label: 'Overview', icon: LayoutGrid }
