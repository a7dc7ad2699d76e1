import { type AgentReport, type GuestDisk } from '../guest.ts'
import { type FileSystem } from './disks/file-system.ts'
import { type SimulatedGuest } from './simulated-guest.ts'

/** Before the first login, the guest reports one at this time by its first user. */
const firstLoginSeconds = 1_700_000_000

/** Returns the report that the guest agent of a simulated guest would send. */
export function reportOf(guest: SimulatedGuest): AgentReport {
  const { system } = guest
  const { loggedIn } = guest
  const firstUser = guest.users.find(({ uid }) => uid !== 0)?.name ?? 'root'
  return {
    hostname: guest.hostname,
    os: {
      id: system.id,
      name: system.name,
      prettyName: system.prettyName,
      version: system.version,
      versionId: system.versionId,
      kernelRelease: system.kernel,
      kernelVersion: system.kernelVersion,
      machine: 'x86_64',
    },
    timezone: 'UTC, 0',
    users: [
      {
        userName: loggedIn?.name ?? firstUser,
        loginTime: loggedIn ? Math.floor(loggedIn.sinceMs / 1000) : firstLoginSeconds,
      },
    ],
    disks: [
      diskOf('/', guest.files.root),
      ...[...guest.files.mounts].map(([at, mounted]) => diskOf(at, mounted)),
    ],
    interfaces: guest.wiring.links.map(({ mac, name, addresses }) => ({
      mac,
      interfaceName: name,
      addresses: addresses.map((address) => address.split('/')[0] ?? ''),
    })),
  }
}

const diskOf = (mountPoint: string, system: FileSystem): GuestDisk => ({
  diskName: system.device.replace('/dev/', ''),
  mountPoint,
  fileSystemType: system.type,
  usedBytes: Math.floor(system.bytes / 10),
  totalBytes: system.bytes,
})
