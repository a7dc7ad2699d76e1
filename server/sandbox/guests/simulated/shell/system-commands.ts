import {
  type Command,
  CommandError,
  type ShellGuest,
  type Invocation,
  type CommandResult,
} from './shell.ts'
import { diskCommands } from './disk-commands.ts'
import { fileCommands } from './file-commands.ts'
import { networkCommands } from './network-commands.ts'
import { table } from './table.ts'

const mib = 2 ** 20

function mustBeRoot({ shell }: Invocation, message: string): void {
  if (shell.user.uid !== 0) throw new CommandError(message)
}

const power =
  (action: 'poweroff' | 'reboot'): Command =>
  (call) => {
    mustBeRoot(call, 'Call to PowerOff failed: Interactive authentication required.')
    call.guest.power(action)
    return { output: '', status: 0 }
  }

function uptime(guest: ShellGuest): string {
  const minutes = Math.floor(guest.uptimeMs() / 60_000)
  return ` ${new Date(guest.nowMs()).toISOString().slice(11, 19)} up ${minutes} min,  1 user,  load average: 0.08, 0.03, 0.01\n`
}

function memory({ vmi }: ShellGuest): string {
  const total = Math.floor((vmi.memoryBytes / mib) * 0.96)
  const used = Math.floor(total / 6)
  const rows = [
    ['', 'total', 'used', 'free', 'shared', 'buff/cache', 'available'],
    ['Mem:', total, used, total - 2 * used, 4, used, total - used].map(String),
    ['Swap:', '0', '0', '0'],
  ]
  return table(rows)
}

const processes = [
  'PID TTY          TIME CMD',
  '  1 ?        00:00:01 systemd',
  '412 ?        00:00:00 sshd',
  '588 ttyS0    00:00:00 bash',
  '',
]

/** Runs a command as root, and refuses users who have no sudo rights. */
function asRoot({ shell, guest, args, input }: Invocation): CommandResult {
  if (!shell.user.hasSudo && shell.user.uid !== 0)
    throw new CommandError(`${shell.user.name} is not in the sudoers file.`)
  const root = guest.users.find(({ uid }) => uid === 0)
  const commandArgs = args.filter((each) => !['-i', '-E', '-n', '--'].includes(each))
  if (!root || commandArgs.length === 0) return { output: '', status: 0 }
  return (shell.user.uid === 0 ? shell : shell.as(root)).run(
    commandArgs.map(quoted).join(' '),
    input,
  )
}

const quoted = (word: string): string => `'${word.replaceAll("'", `'"'"'`)}'`

const own: Readonly<Record<string, Command>> = {
  hostname: ({ guest }) => `${guest.hostname}\n`,
  uname: ({ guest, args }) => {
    const { kernel, kernelVersion } = guest.system
    if (args.includes('-a'))
      return `Linux ${guest.hostname} ${kernel} ${kernelVersion} x86_64 GNU/Linux\n`
    return args.includes('-r')
      ? `${kernel}\n`
      : args.includes('-m')
        ? 'x86_64\n'
        : args.includes('-n')
          ? `${guest.hostname}\n`
          : 'Linux\n'
  },
  whoami: ({ shell }) => `${shell.user.name}\n`,
  id: ({ shell: { user } }) =>
    `uid=${user.uid}(${user.name}) gid=${user.uid}(${user.name}) groups=${[`${user.uid}(${user.name})`, ...user.groups].join(',')}\n`,
  date: ({ guest }) => `${new Date(guest.nowMs()).toUTCString().replace('GMT', 'UTC')}\n`,
  uptime: ({ guest }) => uptime(guest),
  free: ({ guest }) => memory(guest),
  ps: () => processes.join('\n'),
  nproc: ({ guest }) => `${guest.vmi.cpus}\n`,
  dmesg: ({ guest }) => guest.kernelLog.map((line) => `${line}\n`).join(''),
  clear: () => '\u001b[H\u001b[2J',
  true: () => '',
  false: () => ({ output: '', status: 1 }),
  sudo: asRoot,
  sh: ({ shell, guest, args }) =>
    args[0] === '-c'
      ? shell.run(args[1] ?? '')
      : shell.script(args[0] === undefined ? '' : guest.files.read(shell.path(args[0]))),
  exit: () => ({ output: 'logout\n', status: 0, leaves: true }),
  logout: () => ({ output: '', status: 0, leaves: true }),
  poweroff: power('poweroff'),
  halt: power('poweroff'),
  reboot: power('reboot'),
  shutdown: (call) => power(call.args.includes('-r') ? 'reboot' : 'poweroff')(call),
  systemctl(call) {
    const [verb = '', unit = ''] = call.args
    if (verb === 'poweroff' || verb === 'reboot') return power(verb)(call)
    if (verb === 'is-system-running') return 'running\n'
    if (verb === 'is-active') return 'active\n'
    if (['start', 'stop', 'restart', 'enable', 'disable', 'daemon-reload', 'status'].includes(verb))
      return verb === 'status' ? `${unit}: active (running)\n` : ''
    throw new CommandError(`Unknown command verb '${verb}'.`)
  },
  'cloud-init': ({ args }) => (args[0] === 'status' ? 'status: done\n' : ''),
  help: ({ shell }) => `${shell.names.sort().join('  ')}\n`,
}

/** All commands of the simulated shell, by name. */
export const commands: Readonly<Record<string, Command>> = {
  ...fileCommands,
  ...own,
  ...networkCommands,
  ...diskCommands,
}
