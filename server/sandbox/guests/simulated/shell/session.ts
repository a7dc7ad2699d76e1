import { clock } from '../../../clock.ts'
import { commands } from './system-commands.ts'
import { type ShellGuest, type Job, Shell } from './shell.ts'
import { Terminal } from './terminal.ts'
import { opens } from '../users.ts'

/**
 * The session on the serial console of a simulated guest, from the login prompt to the shell of a
 * user.
 */
export class Session {
  readonly #guest: ShellGuest
  readonly #write: (text: string) => void
  readonly #terminal: Terminal
  #name = ''
  #shell: Shell | null = null
  #stopJob: (() => void) | null = null
  #job: Job | null = null
  #at: 'ended' | 'name' | 'password' | 'shell' | 'job' = 'ended'
  #loginMs = 0

  constructor(guest: ShellGuest, write: (text: string) => void) {
    this.#guest = guest
    this.#write = (text) => write(text.replaceAll(/\r?\n/g, '\r\n'))
    this.#terminal = new Terminal(write, {
      line: (text) => this.#line(text),
      interrupt: () => this.#interrupt(),
      leave: () => (this.#shell && this.#at === 'shell' ? this.#leave('logout\n') : this.#prompt()),
    })
  }

  /** The user who is logged in, with the time of the login. */
  get user(): { name: string; sinceMs: number } | null {
    return this.#shell ? { name: this.#shell.user.name, sinceMs: this.#loginMs } : null
  }

  /** Prints the banner and asks for a user name. */
  start(): void {
    const { system, hostname } = this.#guest
    this.#write(`\n${system.prettyName}\nKernel ${system.kernel} on an x86_64 (ttyS0)\n\n`)
    this.#name = ''
    this.#at = 'name'
    this.#terminal.ask(`${hostname.split('.')[0] ?? ''} login: `)
  }

  /** Ends the session. Afterwards nothing reads the input. */
  stop(): void {
    this.#stopJob?.()
    this.#job = null
    this.#shell = null
    this.#at = 'ended'
  }

  feed(text: string): void {
    // Before the login prompt nothing reads the input, but the kernel's terminal echoes it.
    if (this.#at === 'ended')
      this.#write(text.replaceAll(/[^ -~\r\n]/g, '').replaceAll(/\r\n?/g, '\n'))
    else this.#terminal.feed(text)
  }

  #line(text: string): void {
    if (this.#at === 'name') this.#named(text.trim())
    else if (this.#at === 'password') this.#password(text)
    else if (this.#at === 'shell') this.#run(text)
  }

  #named(name: string): void {
    if (name === '') return this.start()
    this.#name = name
    this.#at = 'password'
    this.#terminal.ask('Password: ', { isSecret: true })
  }

  #password(password: string): void {
    const user = this.#guest.users.find(({ name }) => name === this.#name)
    this.#terminal.isSecret = false
    if (!user || !opens(user, password)) {
      this.#write('\nLogin incorrect\n')
      this.#at = 'name'
      this.#terminal.ask(`${this.#guest.hostname.split('.')[0] ?? ''} login: `)
      return
    }
    this.#shell = new Shell(this.#guest, user, commands)
    this.#loginMs = this.#guest.nowMs()
    this.#terminal.forget()
    this.#prompt()
  }

  #run(line: string): void {
    const ran = this.#shell?.run(line)
    if (!ran) return
    this.#write(ran.output)
    // The command may have shut the guest down.
    if (this.#at !== 'shell') return
    if (ran.leaves) return this.#leave('')
    if (ran.job) return this.#follow(ran.job)
    this.#prompt()
  }

  #follow(job: Job): void {
    this.#at = 'job'
    this.#job = job
    this.#terminal.prompt = ''
    this.#terminal.keepsHistory = false
    const step = (): void => {
      const output = job.next()
      if (output === null) return this.#prompt()
      this.#write(output)
      this.#stopJob = clock.after(job.everyMs, step)
    }
    step()
  }

  #interrupt(): void {
    if (this.#at === 'name' || this.#at === 'password') return this.start()
    this.#stopJob?.()
    if (this.#job) this.#write(this.#job.interrupted())
    this.#prompt()
  }

  #prompt(): void {
    if (!this.#shell) return
    this.#stopJob = null
    this.#job = null
    this.#at = 'shell'
    this.#terminal.ask(this.#shell.prompt, { keepsHistory: true })
  }

  #leave(goodbye: string): void {
    this.#write(goodbye)
    this.#shell = null
    this.start()
  }
}
