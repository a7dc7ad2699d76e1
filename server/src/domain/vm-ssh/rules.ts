import { invalid } from '../../engine/model/name.ts'
import { type SecurityGroupRule } from '../security-group/security-group.ts'
import { messageOf } from '../../engine/model/message.ts'

export const sshPort = 22

const firstNodePort = 30_000
const lastNodePort = 32_767

/**
 * Validates the requested node port; null means any free port. The range is the Kubernetes default,
 * which an operator may change.
 */
export function requireNodePort(port: number | null | undefined): number | null {
  if (port === null || port === undefined) return null
  if (Number.isInteger(port) && port >= firstNodePort && port <= lastNodePort) return port
  throw invalid(
    'nodePort',
    messageOf('ssh.port_range', { least: firstNodePort, most: lastNodePort }),
  )
}

const fromAnywhere = (cidr: string): SecurityGroupRule => ({
  direction: 'ingress',
  protocol: 'tcp',
  portFrom: sshPort,
  portTo: sshPort,
  singlePort: true,
  cidr,
  peerGroupId: null,
})

/**
 * The rules that SSH access adds to a VM's security groups. They allow all sources, because a node
 * port replaces the client address by the node's.
 */
export const sshRules: readonly SecurityGroupRule[] = [
  fromAnywhere('0.0.0.0/0'),
  fromAnywhere('::/0'),
]
