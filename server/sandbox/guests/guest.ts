/*
 * The interface to the guests of the sandbox. A guest is the operating system in one VMI. The
 * controllers start and stop guests, and the subresources open consoles, screens and ports. The
 * class SimulatedGuests implements the interface and simulates every guest.
 */

export type Bus = 'virtio' | 'sata' | 'scsi' | 'usb'

export interface GuestVmiDisk {
  name: string
  /** The device name in the guest, such as `vda`. */
  target: string
  serial: string
  bus: Bus
  bytes: number
  kind: 'disk' | 'cdrom' | 'lun'
  /** The file with the content; null for a disk that ends with its VMI. */
  path: string | null
}

export interface GuestVmiNic {
  name: string
  mac: string
  /** The address that DHCP offers; null on a network without DHCP. */
  address: string | null
}

/** The cloud-init data source of a guest. */
export interface Seed {
  source: 'NoCloud' | 'ConfigDrive'
  userData: string
  networkData: string
}

export interface GuestVmi {
  /** The UID of the VMI. The next VMI of the same VM has another one. */
  id: string
  namespace: string
  name: string
  hostname: string
  /** All names that indicate the operating system on the boot disk. */
  image: string
  cpus: number
  memoryBytes: number
  seed: Seed | null
  disks: readonly GuestVmiDisk[]
  /** The target of the boot disk. */
  bootDisk: string
  nics: readonly GuestVmiNic[]
}

export type VmReference = Pick<GuestVmi, 'namespace' | 'name'>

export type Power = 'on' | 'paused' | 'off' | 'crashed'

/** One end of a connection to a guest. Bytes that are written after its end are lost. */
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
  /** Three bytes for each pixel, row by row. */
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

/** The report of the guest agent. */
export interface AgentReport {
  hostname: string
  os: Readonly<Record<string, string>>
  timezone: string
  users: readonly GuestUser[]
  disks: readonly GuestDisk[]
  interfaces: readonly GuestInterface[]
}

export interface SerialLog {
  /** The newest part of the output, up to a limit. */
  bytes(): Buffer
  /** Calls the listener with all later output, and once at the end. */
  follow(listener: LineListener): () => void
}

/** Something that happens inside a guest without a request to the cluster. */
export type GuestIncident = 'poweroff' | 'crash' | 'reboot' | 'agent-off'

export interface Guests {
  /** Starts the guest, or starts it again after the process of the sandbox ended. */
  start(vmi: GuestVmi): void
  /** Presses the ACPI power button. The guest shuts down in its own time. */
  pressPowerButton(id: string): void
  /** Cuts the power. The serial log stays readable. */
  halt(id: string): void
  /**
   * Removes the guest of an earlier VMI of this VM, with its stored files. A guest with the ID
   * `currentId` stays. The VM has no VMI now when `currentId` is undefined.
   */
  removeFormer(reference: VmReference, currentId: string | undefined): void
  /** Removes the stored files of all guests except these. */
  removeAllExcept(ids: ReadonlySet<string>): void
  powerOf(id: string): Power | null
  setPaused(id: string, isPaused: boolean): void
  /** Restarts the guest: `soft` shuts it down first, and `reset` does not. */
  reboot(id: string, how: 'soft' | 'reset'): void
  /** Replaces the list of disks after a hotplug. */
  setDisks(id: string, disks: readonly GuestVmiDisk[]): void
  /** Replaces the list of NICs after a hotplug. */
  setNics(id: string, nics: readonly GuestVmiNic[]): void
  inject(id: string, incident: GuestIncident): void
  /** Returns the report of the guest agent, or null while it does not answer. */
  agentOf(id: string): AgentReport | null
  openSerial(id: string, listener: LineListener): Line | null
  /** Opens the display, as the server side of RFB. */
  openScreen(id: string, listener: LineListener): Line | null
  pictureOf(id: string): Picture | null
  listensOn(id: string, port: number): boolean
  /** Opens a TCP connection. Returns null when the guest refuses it. */
  dial(id: string, port: number, listener: LineListener): Line | null
  logOf(id: string): SerialLog | null
  /** Calls the listener with each VM whose power or guest agent changed without a request. */
  onChange(listener: (reference: VmReference) => void): () => void
  close(): void
}
