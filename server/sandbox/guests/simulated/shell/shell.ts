import { FileError, type Files, absolute } from '../disks/files.ts'
import { type GuestVmi } from '../../guest.ts'
import { type System } from '../systems.ts'
import { type User } from '../users.ts'
import { type Wiring } from '../wiring.ts'

export type PowerAction = 'poweroff' | 'reboot' | 'crash'

/** The parts of a simulated guest that the commands of its shell read and change. */
export interface ShellGuest {
  vmi: GuestVmi
  system: System
  hostname: string
  files: Files
  users: readonly User[]
  wiring: Wiring
  /** The kernel's messages since the boot. */
  kernelLog: readonly string[]
  uptimeMs(): number
  nowMs(): number
  power(action: PowerAction): void
  /** These three return null, or the error message of the command. */
  format(device: string): string | null
  mount(device: string, at: string): string | null
  unmount(at: string): string | null
  isFormatted(device: string): boolean
}

/** A command that prints output over time until it ends or the user interrupts it. */
export interface Job {
  everyMs: number
  next(): string | null
  interrupted(): string
}

export interface CommandResult {
  output: string
  status: number
  job?: Job
  /** True when the command ends the session. */
  leaves?: true
}

export interface Invocation {
  shell: Shell
  guest: ShellGuest
  args: readonly string[]
  /** The input from a pipe. */
  input: string
}

export type Command = (call: Invocation) => string | CommandResult

export class CommandError extends Error {
  readonly status: number

  constructor(message: string, status = 1) {
    super(message)
    this.status = status
  }
}

/**
 * The simulated shell of one user in a guest, for cloud-init scripts and for the serial console. It
 * knows words, quotes, variables, pipes, `>`, `>>`, `;`, `&&` and `||`.
 */
export class Shell {
  readonly guest: ShellGuest
  readonly user: User
  readonly #commands: Readonly<Record<string, Command>>
  readonly variables: Record<string, string>
  folder: string
  #status = 0

  constructor(guest: ShellGuest, user: User, commands: Readonly<Record<string, Command>>) {
    this.guest = guest
    this.user = user
    this.#commands = commands
    const home = homeOf(user)
    this.folder = guest.files.isFolder(home) ? home : '/'
    this.variables = {
      HOME: home,
      USER: user.name,
      SHELL: '/bin/bash',
      PATH: '/usr/local/bin:/usr/bin:/bin',
    }
  }

  get prompt(): string {
    const folder =
      this.folder === homeOf(this.user) ? '~' : (this.folder.split('/').pop() ?? '') || '/'
    return `[${this.user.name}@${this.guest.hostname.split('.')[0] ?? ''} ${folder}]${this.user.uid === 0 ? '#' : '$'} `
  }

  path = (path: string): string =>
    absolute(path.replace(/^~(?=\/|$)/, homeOf(this.user)), this.folder)

  get names(): string[] {
    return Object.keys(this.#commands)
  }

  /** Returns a shell of another user in the same folder. */
  as(user: User): Shell {
    const shell = new Shell(this.guest, user, this.#commands)
    shell.folder = this.folder
    return shell
  }

  /** Runs the lines of a script until one ends the session. */
  script(text: string): CommandResult {
    let output = ''
    for (const line of text.split('\n')) {
      const ran = this.run(line)
      output += ran.output
      if (ran.leaves) break
    }
    return { output, status: this.#status }
  }

  run(line: string, input = ''): CommandResult {
    let output = ''
    let ran: CommandResult = { output: '', status: 0 }
    for (const { text, only } of statementsIn(line)) {
      if (only !== null && (only === 'success') !== (this.#status === 0)) continue
      ran = this.#statement(text, input)
      this.#status = ran.status
      output += ran.output
      if (ran.leaves || ran.job) break
    }
    return { ...ran, output, status: this.#status }
  }

  /** Runs one pipeline and redirects its output. */
  #statement(text: string, input: string): CommandResult {
    const { command, target, appends } = redirection(text)
    let ran: CommandResult = { output: input, status: 0 }
    for (const part of splitOutside(command, '|')) {
      ran = this.#command(part, ran.output)
      if (ran.leaves || ran.job) return ran
    }
    if (target === null) return ran
    try {
      this.#redirect(ran.output, this.path(this.#words(target)[0] ?? ''), appends)
    } catch (error) {
      if (!(error instanceof FileError)) throw error
      return { output: `-bash: ${target}: ${error.message}\n`, status: 1 }
    }
    return { output: '', status: ran.status }
  }

  #redirect(output: string, path: string, appends: boolean): void {
    if (path === '/dev/null') return
    if (path === '/proc/sysrq-trigger') {
      if (this.user.uid !== 0) throw new FileError('Permission denied')
      if (output.startsWith('c')) this.guest.power('crash')
      if (output.startsWith('b')) this.guest.power('reboot')
      if (output.startsWith('o')) this.guest.power('poweroff')
      return
    }
    const before = appends && this.guest.files.exists(path) ? this.guest.files.read(path) : ''
    this.guest.files.write(path, before + output)
  }

  #command(text: string, input: string): CommandResult {
    const words = this.#words(text)
    const [name = '', ...args] = words
    if (name === '') return { output: '', status: 0 }
    const assigned = /^([A-Za-z_]\w*)=(.*)$/s.exec(name)
    if (assigned?.[1] !== undefined && args.length === 0) {
      this.variables[assigned[1]] = assigned[2] ?? ''
      return { output: '', status: 0 }
    }
    return this.#invoke(name.replace(/^\/(?:usr\/)?s?bin\//, ''), args, input)
  }

  #invoke(name: string, args: readonly string[], input: string): CommandResult {
    const command = Object.hasOwn(this.#commands, name) ? this.#commands[name] : undefined
    if (!command) return { output: `-bash: ${name}: command not found\n`, status: 127 }
    try {
      const ran = command({ shell: this, guest: this.guest, args, input })
      return typeof ran === 'string' ? { output: ran, status: 0 } : ran
    } catch (error) {
      if (!(error instanceof FileError) && !(error instanceof CommandError)) throw error
      return {
        output: `${name}: ${error.message}\n`,
        status: error instanceof CommandError ? error.status : 1,
      }
    }
  }

  #words(text: string): string[] {
    const words = text.matchAll(/(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+/gs)
    return [...words].map(([word]) => this.#expanded(word))
  }

  /** Removes quotes, and expands variables outside of single quotes. */
  #expanded(word: string): string {
    return word.replaceAll(/'[^']*'|"(?:[^"\\]|\\.)*"|(?:[^'"\\]|\\.)+/gs, (piece) => {
      if (piece.startsWith("'")) return piece.slice(1, -1)
      const text = piece.startsWith('"') ? piece.slice(1, -1) : piece
      const named = text.replaceAll(/(?<!\\)\$(?:\{\w+\}|\w+|\?)/g, (name) =>
        this.#variable(name.replaceAll(/[${}]/g, '')),
      )
      return named.replaceAll(/\\(.)/gs, '$1')
    })
  }

  #variable(name: string): string {
    return name === '?' ? String(this.#status) : (this.variables[name] ?? '')
  }
}

const homeOf = ({ name }: User): string => (name === 'root' ? '/root' : `/home/${name}`)

/** Splits the text at a character, except inside of quotes. */
function splitOutside(text: string, at: string): string[] {
  const parts = ['']
  let quote = ''
  for (const letter of text) {
    if (quote === '' && letter === at) {
      parts.push('')
      continue
    }
    if (letter === quote) quote = ''
    else if (quote === '' && (letter === '"' || letter === "'")) quote = letter
    parts[parts.length - 1] += letter
  }
  return parts
}

interface Statement {
  text: string
  /** The result of the previous statement that this one requires; null when it always runs. */
  only: 'success' | 'failure' | null
}

function statementsIn(line: string): Statement[] {
  const withoutComment = /^\s*#/.test(line) ? '' : line
  return splitOutside(withoutComment.replaceAll('&&', ';\u0001').replaceAll('||', ';\u0002'), ';')
    .map((text): Statement => {
      const only = text.startsWith('\u0001')
        ? 'success'
        : text.startsWith('\u0002')
          ? 'failure'
          : null
      return { text: text.slice(only === null ? 0 : 1).trim(), only }
    })
    .filter(({ text }) => text !== '')
}

function redirection(text: string): { command: string; target: string | null; appends: boolean } {
  const [command = '', ...rest] = splitOutside(text.replaceAll(/\d?>&\d|2>\s*\S+/g, ''), '>')
  const target = rest.at(-1)?.trim() ?? null
  return { command: command.trim(), target, appends: rest.length > 1 && rest[0]?.trim() === '' }
}
