import { invalid } from '../../engine/model/name.ts'
import { type SecurityGroupRule } from '../security-group/security-group.ts'
import { messageOf } from '../../engine/model/message.ts'

export const sshPort = 22

const firstNodePort = 30_000
const lastNodePort = 32_767

/**
 * The port of the cluster that is wanted; null is any. A cluster keeps this range for that unless
 * its operator has set it up otherwise.
 */
export function requireNodePort(port: number | null | undefined): number | null {
  if (port === null || port === undefined || port === 0) return null
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
 * What exposing SSH lets in beside a machine's security groups. From everywhere: on its way through
 * a node's port a connection loses its own address, so a narrower rule would compare the nodes'.
 */
export const sshRules: readonly SecurityGroupRule[] = [
  fromAnywhere('0.0.0.0/0'),
  fromAnywhere('::/0'),
]
