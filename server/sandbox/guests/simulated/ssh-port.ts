import { type Line, type LineListener } from '../guest.ts'
import { type SimulatedGuest } from './simulated-guest.ts'

export const sshPort = 22

const versions: Readonly<Record<string, string>> = { cirros: 'dropbear_2020.81' }

/** Says what it is, as ssh does first; there is nobody behind it to talk on. */
export function sshLine(
  guest: Pick<SimulatedGuest, 'system' | 'log'>,
  listener: LineListener,
): Line {
  listener.data(Buffer.from(`SSH-2.0-${versions[guest.system.id] ?? 'OpenSSH_9.9'}\r\n`))
  const unfollow = guest.log.follow({ data: () => undefined, end: () => listener.end() })
  return {
    write(bytes) {
      // A client that goes on after its own greeting wants keys, and then we hang up.
      if (!bytes.toString('latin1').startsWith('SSH-')) listener.end()
    },
    close: unfollow,
  }
}
