import { type Line, type LineListener } from '../guest.ts'
import { type SimulatedGuest } from './simulated-guest.ts'

export const sshPort = 22

const versions: Readonly<Record<string, string>> = { cirros: 'dropbear_2020.81' }

/** The SSH port of a simulated guest: sends the version of an SSH server and ends the handshake. */
export function sshLine(
  guest: Pick<SimulatedGuest, 'system' | 'log'>,
  listener: LineListener,
): Line {
  listener.data(Buffer.from(`SSH-2.0-${versions[guest.system.id] ?? 'OpenSSH_9.9'}\r\n`))
  const unfollow = guest.log.follow({ data: () => undefined, end: () => listener.end() })
  return {
    write(bytes) {
      // After its own version string a client starts the key exchange, so the connection ends.
      if (!bytes.toString('latin1').startsWith('SSH-')) listener.end()
    },
    close: unfollow,
  }
}
