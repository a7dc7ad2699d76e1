import { join } from 'node:path'
import { clock } from '../../clock.ts'
import { type JsonMap } from '../../objects/types.ts'
import { type Pace } from '../../pace.ts'
import {
  type GuestIncident,
  type GuestVmi,
  type GuestVmiDisk,
  type GuestVmiNic,
  type Power,
} from '../guest.ts'
import { bootLines, downLines, kernelLines, panicLines } from './boot-log.ts'
import { type Prepared, cloudInitLines, commandsIn, prepare, writeFiles } from './cloud-init.ts'
import { Files } from './disks/files.ts'
import { RootDisk, dataSystem, formatDisk } from './disks/guest-disks.ts'
import { StoredLog } from './serial-log.ts'
import { Session } from './shell/session.ts'
import { type ShellGuest, type PowerAction, Shell } from './shell/shell.ts'
import { type System, osRelease, systemOf } from './systems.ts'
import { commands } from './shell/system-commands.ts'
import { type User } from './users.ts'
import { Wiring } from './wiring.ts'

export interface GuestContext {
  folder: string
  pace: Pace
  /** Called when the power or the agent changes without a request. */
  changed(): void
}

const bootSteps = 24
const unreadBytes = 4096

/** A simulated guest that boots, prints to its serial line, runs a shell, and shuts down. */
export class SimulatedGuest implements ShellGuest {
  readonly log: StoredLog
  readonly system: System
  readonly files: Files
  readonly wiring: Wiring
  readonly #context: GuestContext
  readonly #root: RootDisk
  readonly #session: Session
  vmi: GuestVmi
  powered: Power = 'on'
  hostname: string
  users: readonly User[] = []
  kernelLog: readonly string[] = []
  isReady = false
  hasAgent: boolean
  #bootedAtMs = 0
  #isUp = true
  /** True during a shutdown for good. The agent counts as answering until the power is off. */
  #isLeaving = false
  #unread = ''
  #cancel: (() => void) | null = null
  /** The task that waits while the guest is paused. */
  #heldTask: (() => void) | null = null

  constructor(vmi: GuestVmi, context: GuestContext) {
    this.vmi = vmi
    this.#context = context
    this.system = systemOf(vmi.image)
    this.hasAgent = this.system.hasAgent
    this.log = new StoredLog(join(context.folder, `${vmi.id}.log`))
    this.#root = new RootDisk(vmi, context.folder)
    this.files = new Files(this.#root.system, this.#generatedFiles())
    this.wiring = new Wiring(context.changed)
    this.hostname = vmi.hostname
    this.#session = new Session(this, (text) => this.#print(text))
  }

  get loggedIn(): { name: string; sinceMs: number } | null {
    return this.#session.user
  }

  /** True while the guest agent answers. */
  get isAnswering(): boolean {
    return this.hasAgent && (this.isReady || this.#isLeaving)
  }

  uptimeMs = (): number => clock.nowMs() - this.#bootedAtMs

  nowMs = (): number => clock.nowMs()

  /** Boots the guest. After a restart of the sandbox the boot takes one step, to catch up. */
  boot({ inSteps = bootSteps } = {}): void {
    this.#bootedAtMs = clock.nowMs()
    this.files.mounts.clear()
    this.kernelLog = []
    this.wiring.boot(this.vmi.nics, this.system.hasCloudInit ? this.vmi.seed : null)
    const cloudInit = this.#initialise()
    const boot = {
      vmi: this.vmi,
      system: this.system,
      hostname: this.hostname,
      links: this.wiring.links,
      cloudInit,
    }
    this.kernelLog = kernelLines(boot)
    const lines = bootLines(boot)
    const stepMs = this.#context.pace.msOf('guestBoot') / inSteps
    const perStep = Math.ceil(lines.length / inSteps)
    this.#write(lines.splice(0, inSteps === 1 ? 0 : perStep))
    const step = (): void => {
      this.#write(lines.splice(0, perStep))
      if (lines.length > 0) this.#later(stepMs, step)
      else this.#ready()
    }
    this.#later(stepMs, step)
  }

  type(bytes: Buffer): void {
    const text = bytes.toString('utf8')
    if (this.powered === 'on') this.#session.feed(text)
    else if (this.powered === 'paused') this.#unread = (this.#unread + text).slice(0, unreadBytes)
  }

  setPaused(isPaused: boolean): void {
    if (isPaused && this.powered === 'on') this.powered = 'paused'
    if (isPaused || this.powered !== 'paused') return
    this.powered = 'on'
    const [held, unread] = [this.#heldTask, this.#unread]
    this.#heldTask = null
    this.#unread = ''
    held?.()
    if (unread !== '') this.#session.feed(unread)
  }

  setDisks(disks: readonly GuestVmiDisk[]): void {
    this.vmi = { ...this.vmi, disks }
    const devices = new Set(disks.map(({ target }) => `/dev/${target}`))
    for (const [at, { device }] of this.files.mounts)
      if (!devices.has(device)) this.files.mounts.delete(at)
  }

  setNics(nics: readonly GuestVmiNic[]): void {
    this.vmi = { ...this.vmi, nics }
    this.wiring.follow(nics)
  }

  /** Prints the shutdown messages. The caller halts the guest after the grace period. */
  askDown(): void {
    if (this.powered !== 'on' || !this.#isUp) return
    this.#isLeaving = this.isReady
    this.#stopActivity()
    this.#write(downLines(this.system, 'poweroff'))
    this.#isUp = false
  }

  power(action: PowerAction): void {
    if (this.powered !== 'on') return
    this.#stopActivity()
    if (action === 'crash') {
      this.#write(panicLines)
      return this.#end('crashed')
    }
    this.#write(downLines(this.system, action))
    // A reboot ends the agent at once.
    this.#isLeaving = action === 'poweroff'
    this.#later(this.#context.pace.msOf('guestDown'), () =>
      action === 'reboot' ? this.#restart() : this.#end('off'),
    )
    if (action === 'reboot') this.#context.changed()
  }

  /** Restarts the guest without a shutdown. */
  reset(): void {
    if (this.powered !== 'on' && this.powered !== 'paused') return
    this.powered = 'on'
    this.#stopActivity()
    this.#restart()
    this.#context.changed()
  }

  /** Simulates an incident inside the guest, which a test injects by a fault command. */
  inject(incident: GuestIncident): void {
    if (incident !== 'agent-off') return this.power(incident)
    this.hasAgent = false
    this.#context.changed()
  }

  /** Cuts the power without a shutdown. */
  halt(): void {
    if (this.powered !== 'on' && this.powered !== 'paused') return
    this.#stopActivity()
    this.powered = 'off'
    this.log.end()
  }

  /** Stops the simulation and keeps the stored files. */
  close(): void {
    this.#stopActivity()
    this.log.end()
  }

  remove(): void {
    this.#stopActivity()
    this.log.remove()
    this.#root.remove()
  }

  format(device: string): string | null {
    const disk = this.#diskAt(device)
    if (!disk) return `The file ${device} does not exist and no size was specified.`
    if (
      disk.target === this.vmi.bootDisk ||
      [...this.files.mounts.values()].some((each) => each.device === device)
    )
      return `${device} is mounted; will not make a filesystem here!`
    if (disk.path === null) return `${device}: Read-only file system`
    formatDisk(disk.path)
    return null
  }

  mount(device: string, at: string): string | null {
    const disk = this.#diskAt(device)
    if (!disk) return `${at}: special device ${device} does not exist.`
    if (!this.files.isFolder(at) || at === '/') return `${at}: mount point does not exist.`
    const system = disk.target === this.vmi.bootDisk ? null : dataSystem(disk)
    if (!system)
      return `${at}: wrong fs type, bad option, bad superblock on ${device}, missing codepage or helper program, or other error.`
    if (this.files.mounts.has(at)) return `${at}: ${device} already mounted on ${at}.`
    this.files.mounts.set(at, system)
    return null
  }

  unmount = (at: string): string | null =>
    this.files.mounts.delete(at) ? null : `${at}: not mounted.`

  isFormatted(device: string): boolean {
    const disk = this.#diskAt(device)
    return disk !== undefined && disk.target !== this.vmi.bootDisk && dataSystem(disk) !== null
  }

  #diskAt = (device: string): GuestVmiDisk | undefined =>
    this.vmi.disks.find(({ target }) => `/dev/${target}` === device)

  /** Runs cloud-init for this boot. Returns its serial output. */
  #initialise(): string[] {
    const { seed, namespace, name, hostname } = this.vmi
    const prepared = prepare(this.system.hasCloudInit ? seed : null, {
      hostname,
      defaultUser: this.system.defaultUser,
    })
    const instance = `${name}.${namespace}`
    const { state } = this.#root
    const isNew = state.instance !== instance
    this.hostname = isNew ? prepared.hostname : state.hostname
    // This method itself wrote the stored users, below.
    this.users = isNew ? prepared.users : (state.users as unknown as User[])
    if (isNew) {
      // A user is a map of JSON values.
      const users = prepared.users as unknown as JsonMap[]
      this.#root.state = { instance, users, hostname: this.hostname }
    }
    const root = this.users.find(({ uid }) => uid === 0)
    if (!root) return []
    const output = this.#root.savingOnce(() =>
      isNew
        ? this.#firstBoot(prepared, root)
        : this.#run(root, commandsIn(prepared.data.config.bootcmd)),
    )
    return cloudInitLines(prepared, seed, output)
  }

  #firstBoot(prepared: Prepared, root: User): string[] {
    const { config, script } = prepared.data
    this.#root.system.tree.set('/etc/hostname', `${this.hostname}\n`)
    this.#root.system.tree.set('/etc/os-release', osRelease(this.system))
    const warnings = writeFiles(this.files, prepared)
    const scripts = [
      ...commandsIn(config.bootcmd),
      ...commandsIn(config.runcmd),
      ...(script === null ? [] : [script]),
    ]
    return [...warnings, ...this.#run(root, scripts)]
  }

  #run(root: User, scripts: readonly string[]): string[] {
    const shell = new Shell(this, root, commands)
    return scripts
      .flatMap((text) => shell.script(text).output.split('\n'))
      .filter((line) => line !== '')
  }

  #generatedFiles(): Readonly<Record<string, () => string>> {
    return {
      '/proc/cmdline': () =>
        `BOOT_IMAGE=/boot/vmlinuz-${this.system.kernel} root=/dev/vda1 ro console=tty1 console=ttyS0\n`,
      '/proc/uptime': () =>
        `${(this.uptimeMs() / 1000).toFixed(2)} ${(this.uptimeMs() / 1000).toFixed(2)}\n`,
      '/proc/version': () => `Linux version ${this.system.kernel} ${this.system.kernelVersion}\n`,
    }
  }

  #ready(): void {
    this.isReady = true
    if (this.system.family === 'windows') this.#print('SAC>')
    else this.#session.start()
    this.#context.changed()
  }

  #restart(): void {
    this.hasAgent = this.system.hasAgent
    this.boot()
  }

  #end(power: Power): void {
    this.powered = power
    this.log.end()
    this.#context.changed()
  }

  #stopActivity(): void {
    this.#cancel?.()
    this.#cancel = null
    this.#heldTask = null
    this.isReady = false
    this.#session.stop()
  }

  #later(ms: number, task: () => void): void {
    this.#cancel = clock.after(ms, () => {
      // A paused guest runs the task when it resumes.
      if (this.powered === 'paused') this.#heldTask = task
      else task()
    })
  }

  #write(lines: readonly string[]): void {
    if (lines.length > 0) this.#print(lines.map((line) => `${line}\r\n`).join(''))
  }

  #print(text: string): void {
    this.log.write(Buffer.from(text))
  }
}
