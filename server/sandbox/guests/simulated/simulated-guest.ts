import { join } from 'node:path'
import { clock } from '../../clock.ts'
import { type JsonMap } from '../../objects/types.ts'
import { type Pace } from '../../pace.ts'
import {
  type GuestAct,
  type Machine,
  type MachineDisk,
  type MachineNic,
  type Power,
} from '../guest.ts'
import { bootLines, downLines, kernelLines, panicLines } from './boot-log.ts'
import { type Prepared, cloudInitLines, commandsIn, prepare, writeFiles } from './cloud-init.ts'
import { Files } from './disks/files.ts'
import { RootDisk, dataSystem, formatDisk } from './disks/machine-disks.ts'
import { KeptLog } from './serial-log.ts'
import { Session } from './shell/session.ts'
import { type Host, type PowerWord, Shell } from './shell/shell.ts'
import { type System, osRelease, systemOf } from './systems.ts'
import { commands } from './shell/system-commands.ts'
import { type User } from './users.ts'
import { Wiring } from './wiring.ts'

export interface Surroundings {
  folder: string
  pace: Pace
  /** Told when its power or its agent changed by itself. */
  changed(): void
}

const bootSteps = 24
const unreadBytes = 4096

/**
 * One machine with its guest: it boots, talks on its serial line, and goes down when it is told to
 * or wants to.
 */
export class SimulatedGuest implements Host {
  readonly log: KeptLog
  readonly system: System
  readonly files: Files
  readonly wiring: Wiring
  readonly #around: Surroundings
  readonly #root: RootDisk
  readonly #session: Session
  machine: Machine
  powered: Power = 'on'
  hostname: string
  users: readonly User[] = []
  kernelLog: readonly string[] = []
  isReady = false
  hasAgent: boolean
  #bootedAtMs = 0
  #isUp = true
  /** For good: that its agent is gone nobody notices. */
  #isLeaving = false
  #unread = ''
  #cancel: (() => void) | null = null
  /** What waits while it is paused. */
  #held: (() => void) | null = null

  constructor(machine: Machine, around: Surroundings) {
    this.machine = machine
    this.#around = around
    this.system = systemOf(machine.image)
    this.hasAgent = this.system.hasAgent
    this.log = new KeptLog(join(around.folder, `${machine.id}.log`))
    this.#root = new RootDisk(machine, around.folder)
    this.files = new Files(this.#root.system, this.#madeUp())
    this.wiring = new Wiring(around.changed)
    this.hostname = machine.hostname
    this.#session = new Session(this, (text) => this.#say(text))
  }

  get loggedIn(): { name: string; sinceMs: number } | null {
    return this.#session.user
  }

  /** Whether its agent does. */
  get isAnswering(): boolean {
    return this.hasAgent && (this.isReady || this.#isLeaving)
  }

  uptimeMs = (): number => clock.nowMs() - this.#bootedAtMs

  nowMs = (): number => clock.nowMs()

  /** One that was running when its process ended says all at once: nobody waited for it. */
  boot({ inSteps = bootSteps } = {}): void {
    this.#bootedAtMs = clock.nowMs()
    this.files.mounts.clear()
    this.kernelLog = []
    this.wiring.boot(this.machine.nics, this.system.hasCloudInit ? this.machine.seed : null)
    const cloudInit = this.#initialise()
    const boot = {
      machine: this.machine,
      system: this.system,
      hostname: this.hostname,
      links: this.wiring.links,
      cloudInit,
    }
    this.kernelLog = kernelLines(boot)
    const lines = bootLines(boot)
    const stepMs = this.#around.pace.msOf('guestBoot') / inSteps
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
    const [held, unread] = [this.#held, this.#unread]
    this.#held = null
    this.#unread = ''
    held?.()
    if (unread !== '') this.#session.feed(unread)
  }

  setDisks(disks: readonly MachineDisk[]): void {
    this.machine = { ...this.machine, disks }
    const devices = new Set(disks.map(({ target }) => `/dev/${target}`))
    for (const [at, { device }] of this.files.mounts)
      if (!devices.has(device)) this.files.mounts.delete(at)
  }

  setNics(nics: readonly MachineNic[]): void {
    this.machine = { ...this.machine, nics }
    this.wiring.follow(nics)
  }

  /** Says goodbye; whoever asked takes it away when its time is over. */
  askDown(): void {
    if (this.powered !== 'on' || !this.#isUp) return
    this.#isLeaving = this.isReady
    this.#quiet()
    this.#write(downLines(this.system, 'poweroff'))
    this.#isUp = false
  }

  power(word: PowerWord): void {
    if (this.powered !== 'on') return
    this.#quiet()
    if (word === 'crash') {
      this.#write(panicLines)
      return this.#end('crashed')
    }
    this.#write(downLines(this.system, word))
    // Its agent is gone from the first moment of a reboot.
    this.#isLeaving = word === 'poweroff'
    this.#later(this.#around.pace.msOf('guestDown'), () =>
      word === 'reboot' ? this.#again() : this.#end('off'),
    )
    if (word === 'reboot') this.#around.changed()
  }

  /** Without a word to what runs in it. */
  reset(): void {
    if (this.powered !== 'on' && this.powered !== 'paused') return
    this.powered = 'on'
    this.#quiet()
    this.#again()
    this.#around.changed()
  }

  act(act: GuestAct): void {
    if (act !== 'agent-off') return this.power(act)
    this.hasAgent = false
    this.#around.changed()
  }

  /** As when the plug is pulled. */
  halt(): void {
    if (this.powered !== 'on' && this.powered !== 'paused') return
    this.#quiet()
    this.powered = 'off'
    this.log.end()
  }

  /** Stops what it does, and keeps what it has written. */
  close(): void {
    this.#quiet()
    this.log.end()
  }

  remove(): void {
    this.#quiet()
    this.log.remove()
    this.#root.remove()
  }

  format(device: string): string | null {
    const disk = this.#diskAt(device)
    if (!disk) return `The file ${device} does not exist and no size was specified.`
    if (
      disk.target === this.machine.bootDisk ||
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
    const system = disk.target === this.machine.bootDisk ? null : dataSystem(disk)
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
    return disk !== undefined && disk.target !== this.machine.bootDisk && dataSystem(disk) !== null
  }

  #diskAt = (device: string): MachineDisk | undefined =>
    this.machine.disks.find(({ target }) => `/dev/${target}` === device)

  /** What cloud-init does in this boot, and what it says of it. */
  #initialise(): string[] {
    const { seed, namespace, name, hostname } = this.machine
    const prepared = prepare(this.system.hasCloudInit ? seed : null, {
      hostname,
      defaultUser: this.system.defaultUser,
    })
    const instance = `${name}.${namespace}`
    const { notes } = this.#root
    const isNew = notes.instance !== instance
    this.hostname = isNew ? prepared.hostname : notes.hostname
    // Our own notes, as they were written below.
    this.users = isNew ? prepared.users : (notes.users as unknown as User[])
    if (isNew) {
      // A user is a map of JSON values.
      const users = prepared.users as unknown as JsonMap[]
      this.#root.notes = { instance, users, hostname: this.hostname }
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
    const complaints = writeFiles(this.files, prepared)
    const asked = [
      ...commandsIn(config.bootcmd),
      ...commandsIn(config.runcmd),
      ...(script === null ? [] : [script]),
    ]
    return [...complaints, ...this.#run(root, asked)]
  }

  #run(root: User, scripts: readonly string[]): string[] {
    const shell = new Shell(this, root, commands)
    return scripts
      .flatMap((text) => shell.script(text).output.split('\n'))
      .filter((line) => line !== '')
  }

  #madeUp(): Readonly<Record<string, () => string>> {
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
    if (this.system.family === 'windows') this.#say('SAC>')
    else this.#session.start()
    this.#around.changed()
  }

  #again(): void {
    this.hasAgent = this.system.hasAgent
    this.boot()
  }

  #end(power: Power): void {
    this.powered = power
    this.log.end()
    this.#around.changed()
  }

  #quiet(): void {
    this.#cancel?.()
    this.#cancel = null
    this.#held = null
    this.isReady = false
    this.#session.stop()
  }

  #later(ms: number, task: () => void): void {
    this.#cancel = clock.after(ms, () => {
      // A processor that stands still gets to nothing.
      if (this.powered === 'paused') this.#held = task
      else task()
    })
  }

  #write(lines: readonly string[]): void {
    if (lines.length > 0) this.#say(lines.map((line) => `${line}\r\n`).join(''))
  }

  #say(text: string): void {
    this.log.write(Buffer.from(text))
  }
}
