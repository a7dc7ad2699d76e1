/*
 * What runs in a virtual machine, seen from the node's agent. Whoever fills this interface may
 * simulate a guest or run a real one: above it only bytes of a serial line, bytes of RFB, and what
 * an agent tells are known.
 */

export type Bus = 'virtio' | 'sata' | 'scsi' | 'usb'

export interface MachineDisk {
  name: string
  /** As the guest finds it: `vda`. */
  target: string
  serial: string
  bus: Bus
  bytes: number
  kind: 'disk' | 'cdrom' | 'lun'
  /** Where its content lies; null when it ends with the machine. */
  path: string | null
}

export interface MachineNic {
  name: string
  mac: string
  /** What DHCP would give it; none where nobody answers. */
  address: string | null
}

/** What cloud-init finds in the machine. */
export interface Seed {
  source: 'NoCloud' | 'ConfigDrive'
  userData: string
  networkData: string
}

export interface Machine {
  /** Of one run: another run of the same VM is another machine. */
  id: string
  namespace: string
  name: string
  hostname: string
  /** All names that tell what is on its first disk. */
  image: string
  cpus: number
  memoryBytes: number
  seed: Seed | null
  disks: readonly MachineDisk[]
  /** The target of the disk that it boots from. */
  bootDisk: string
  nics: readonly MachineNic[]
}

export type Place = Pick<Machine, 'namespace' | 'name'>

export type Power = 'on' | 'paused' | 'off' | 'crashed'

/** One end of a line into a guest; what is written after the end is lost. */
export interface Line {
  write(bytes: Buffer): void
  close(): void
}

export interface LineListener {
  data(bytes: Buffer): void
  end(): void
}

export interface Picture {
  width: number
  height: number
  /** Three bytes a pixel, in rows. */
  rgb: Buffer
}

export interface GuestUser {
  userName: string
  loginTime: number
}

export interface GuestDisk {
  diskName: string
  mountPoint: string
  fileSystemType: string
  usedBytes: number
  totalBytes: number
}

export interface GuestInterface {
  mac: string
  interfaceName: string
  addresses: readonly string[]
}

/** What the agent in the guest tells. */
export interface AgentReport {
  hostname: string
  os: Readonly<Record<string, string>>
  timezone: string
  users: readonly GuestUser[]
  disks: readonly GuestDisk[]
  interfaces: readonly GuestInterface[]
}

export interface SerialLog {
  /** As much as is kept. */
  bytes(): Buffer
  /** Called with everything that is written from now on, and once at the end. */
  follow(listener: LineListener): () => void
}

/** What a test or an operator does to a guest behind the back of the cluster. */
export type GuestAct = 'poweroff' | 'crash' | 'reboot' | 'agent-off'

export interface Guests {
  /** Starts it, or brings up again what was lost with the process. */
  start(machine: Machine): void
  /** Presses the power button; it goes down in its own time. */
  askDown(id: string): void
  /** Cuts the power; what it said can still be read. */
  halt(id: string): void
  /**
   * Takes away what ran there, with all that is kept of it, unless it is the one that is there now.
   */
  forget(place: Place, idNow: string | undefined): void
  /** Takes away all but these. */
  keepOnly(ids: ReadonlySet<string>): void
  powerOf(id: string): Power | null
  setPaused(id: string, isPaused: boolean): void
  reboot(id: string, how: 'asked' | 'reset'): void
  /** The disks that it has now. */
  setDisks(id: string, disks: readonly MachineDisk[]): void
  /** The NICs that it has now. */
  setNics(id: string, nics: readonly MachineNic[]): void
  act(id: string, act: GuestAct): void
  /** Null while there is no agent that answers. */
  agentOf(id: string): AgentReport | null
  openSerial(id: string, listener: LineListener): Line | null
  /** RFB, as a display server would speak it. */
  openScreen(id: string, listener: LineListener): Line | null
  pictureOf(id: string): Picture | null
  listensOn(id: string, port: number): boolean
  /** A TCP connection; null when the guest refuses it. */
  dial(id: string, port: number, listener: LineListener): Line | null
  logOf(id: string): SerialLog | null
  /** Called with the machine whose power or agent changed by itself. */
  onChange(listener: (place: Place) => void): () => void
  close(): void
}
