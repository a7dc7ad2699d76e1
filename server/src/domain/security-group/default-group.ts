import { type SecurityGroupRule, type SecurityGroupView } from './security-group.ts'

/** The security group that every new tenant gets. */
export const defaultGroup = {
  name: 'default',
  description: 'Of VMs for which no other was chosen.',
  /** Allows HTTP in and all traffic out. */
  rules: [
    {
      direction: 'ingress',
      protocol: 'tcp',
      portFrom: 80,
      portTo: 80,
      singlePort: false,
      cidr: '0.0.0.0/0',
      peerGroupId: null,
    },
    {
      direction: 'egress',
      protocol: 'all',
      portFrom: null,
      portTo: null,
      singlePort: false,
      cidr: '0.0.0.0/0',
      peerGroupId: null,
    },
    {
      direction: 'egress',
      protocol: 'all',
      portFrom: null,
      portTo: null,
      singlePort: false,
      cidr: '::/0',
      peerGroupId: null,
    },
  ],
} as const satisfies Pick<SecurityGroupView, 'name' | 'description'> & {
  rules: readonly SecurityGroupRule[]
}
