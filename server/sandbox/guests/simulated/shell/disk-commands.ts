import { type FileSystem } from '../disks/file-system.ts'
import { type Command, CommandError, type ShellGuest, type Invocation } from './shell.ts'
import { table } from './table.ts'

const kib = 1024

/** The size of all files plus a tenth of the disk, which an empty file system uses too. */
export const usedBytes = ({ tree, bytes }: FileSystem): number =>
  Math.floor(bytes / 10) +
  [...tree.values()].reduce((sum, content) => sum + (content?.length ?? 0), 0)

const sized = (bytes: number): string => {
  const units = ['', 'K', 'M', 'G', 'T']
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10))
  const value = bytes / kib ** power
  return `${Number.isInteger(value) ? value : value.toFixed(1)}${units[power] ?? ''}`
}

const mountedSystems = ({ files }: ShellGuest): [at: string, system: FileSystem][] => [
  ['/', files.root],
  ...files.mounts,
]

function blocks(guest: ShellGuest): string {
  const at = new Map(mountedSystems(guest).map(([mountPoint, { device }]) => [device, mountPoint]))
  const rows = guest.vmi.disks.flatMap((disk) => {
    const row = [
      disk.target,
      sized(disk.bytes),
      disk.kind === 'cdrom' ? 'rom' : 'disk',
      disk.serial,
      at.get(`/dev/${disk.target}`) ?? '',
    ]
    const part = at.get(`/dev/${disk.target}1`)
    return part === undefined
      ? [row]
      : [row, [`└─${disk.target}1`, sized(disk.bytes), 'part', '', part]]
  })
  return table([['NAME', 'SIZE', 'TYPE', 'SERIAL', 'MOUNTPOINTS'], ...rows])
}

function free(guest: ShellGuest): string {
  const rows = mountedSystems(guest).map(([at, system]) => {
    const used = usedBytes(system)
    const inKib = [system.bytes, used, system.bytes - used].map((bytes) =>
      String(Math.floor(bytes / kib)),
    )
    return [system.device, ...inKib, `${Math.ceil((100 * used) / Math.max(1, system.bytes))}%`, at]
  })
  return table([['Filesystem', '1K-blocks', 'Used', 'Available', 'Use%', 'Mounted on'], ...rows])
}

function rootOnly({ shell }: Invocation, what: string): void {
  if (shell.user.uid !== 0) throw new CommandError(`${what}: Permission denied`)
}

function refused(why: string | null): string {
  if (why !== null) throw new CommandError(why, 32)
  return ''
}

const format: Command = (call) => {
  const device = call.args.filter((each) => !each.startsWith('-')).at(-1) ?? ''
  rootOnly(call, device)
  refused(call.guest.format(device))
  return `Creating filesystem on ${device}\nWriting superblocks and filesystem accounting information: done\n`
}

/** Commands of the simulated shell that show, format and mount disks. */
export const diskCommands: Readonly<Record<string, Command>> = {
  df: ({ guest }) => free(guest),
  lsblk: ({ guest }) => blocks(guest),
  blkid: ({ guest }) =>
    guest.vmi.disks
      .filter(({ target }) => guest.isFormatted(`/dev/${target}`))
      .map(({ target }) => `/dev/${target}: BLOCK_SIZE="4096" TYPE="ext4"\n`)
      .join(''),
  mkfs: format,
  'mkfs.ext4': format,
  'mkfs.xfs': format,
  mount(call) {
    const [device = '', at = ''] = call.args.filter((each) => !each.startsWith('-'))
    if (device === '')
      return mountedSystems(call.guest)
        .map(
          ([mountPoint, { device: of, type }]) =>
            `${of} on ${mountPoint} type ${type} (rw,relatime)\n`,
        )
        .join('')
    rootOnly(call, device)
    return refused(call.guest.mount(device, call.shell.path(at)))
  },
  umount(call) {
    const [at = ''] = call.args
    rootOnly(call, at)
    const mountPoint =
      mountedSystems(call.guest).find(([, { device }]) => device === at)?.[0] ?? call.shell.path(at)
    return refused(call.guest.unmount(mountPoint))
  },
}
