import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Pace } from '../../pace.ts'
import {
  type GuestIncident,
  type Guests,
  type Line,
  type LineListener,
  type GuestVmi,
  type GuestVmiDisk,
  type GuestVmiNic,
  type VmReference,
} from '../guest.ts'
import { reportOf } from './agent-report.ts'
import { MirroredScreen } from './screen/mirrored-screen.ts'
import { RfbServer } from './screen/rfb.ts'
import { SimulatedGuest } from './simulated-guest.ts'
import { sshLine, sshPort } from './ssh-port.ts'

const keyOf = ({ namespace, name }: VmReference): string => `${namespace}/${name}`

type Listener = Parameters<Guests['onChange']>[0]

/** All guests of the sandbox by the UID of their VMI. Every guest is simulated; no VM runs. */
export class SimulatedGuests implements Guests {
  readonly #folder: string
  readonly #pace: Pace
  readonly #guests = new Map<string, SimulatedGuest>()
  readonly #idsByVm = new Map<string, string>()
  readonly #listeners = new Set<Listener>()

  constructor(folder: string, pace: Pace) {
    this.#folder = folder
    this.#pace = pace
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  }

  start(vmi: GuestVmi): void {
    if (this.#guests.has(vmi.id)) return
    this.removeFormer(vmi, vmi.id)
    this.#idsByVm.set(keyOf(vmi), vmi.id)
    const changed = (): void => {
      for (const listener of this.#listeners) listener(vmi)
    }
    const guest = new SimulatedGuest(vmi, { folder: this.#folder, pace: this.#pace, changed })
    this.#guests.set(vmi.id, guest)
    guest.boot(guest.log.isEmpty ? {} : { inSteps: 1 })
  }

  pressPowerButton(id: string): void {
    this.#guests.get(id)?.askDown()
  }

  halt(id: string): void {
    this.#guests.get(id)?.halt()
  }

  removeFormer(reference: VmReference, currentId: string | undefined): void {
    const id = this.#idsByVm.get(keyOf(reference))
    if (id === undefined || id === currentId) return
    this.#guests.get(id)?.remove()
    this.#guests.delete(id)
    this.#idsByVm.delete(keyOf(reference))
  }

  removeAllExcept(ids: ReadonlySet<string>): void {
    for (const file of readdirSync(this.#folder))
      if (!ids.has(file.replace(/\.\w+$/, ''))) rmSync(join(this.#folder, file), { force: true })
  }

  powerOf(id: string) {
    return this.#guests.get(id)?.powered ?? null
  }

  setPaused(id: string, isPaused: boolean): void {
    this.#guests.get(id)?.setPaused(isPaused)
  }

  reboot(id: string, how: 'soft' | 'reset'): void {
    const guest = this.#guests.get(id)
    if (how === 'soft') guest?.power('reboot')
    else guest?.reset()
  }

  setDisks(id: string, disks: readonly GuestVmiDisk[]): void {
    this.#guests.get(id)?.setDisks(disks)
  }

  setNics(id: string, nics: readonly GuestVmiNic[]): void {
    this.#guests.get(id)?.setNics(nics)
  }

  inject(id: string, incident: GuestIncident): void {
    this.#guests.get(id)?.inject(incident)
  }

  agentOf(id: string) {
    const guest = this.#guests.get(id)
    return guest?.isAnswering && guest.powered === 'on' ? reportOf(guest) : null
  }

  openSerial(id: string, listener: LineListener): Line | null {
    const guest = this.#live(id)
    if (!guest) return null
    const close = guest.log.follow(listener)
    return { write: (bytes) => guest.type(bytes), close }
  }

  openScreen(id: string, listener: LineListener): Line | null {
    const guest = this.#live(id)
    return guest ? new RfbServer(new MirroredScreen(guest), listener) : null
  }

  pictureOf(id: string) {
    const guest = this.#live(id)
    if (!guest) return null
    const screen = new MirroredScreen(guest)
    return screen.picture()
  }

  listensOn(id: string, port: number): boolean {
    return port === sshPort && this.#live(id)?.isReady === true
  }

  dial(id: string, port: number, listener: LineListener): Line | null {
    const guest = this.#live(id)
    return guest && this.listensOn(id, port) ? sshLine(guest, listener) : null
  }

  logOf(id: string) {
    return this.#guests.get(id)?.log ?? null
  }

  onChange(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  close(): void {
    this.#listeners.clear()
    for (const guest of this.#guests.values()) guest.close()
    this.#guests.clear()
  }

  #live(id: string): SimulatedGuest | null {
    const guest = this.#guests.get(id)
    return guest && ['on', 'paused'].includes(guest.powered) ? guest : null
  }
}
