/*
 * The guest of a VMI, as the node's agent sees it. An implementation may simulate guests or run
 * real ones. Callers know only bytes of a serial line, bytes of RFB, and reports of the agent.
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
  /** Removes the guest of this VM and all that is stored for it, unless its ID is `idNow`. */
  remove(reference: VmReference, idNow: string | undefined): void
  /** Removes the stored files of all guests except these. */
  removeAllExcept(ids: ReadonlySet<string>): void
  powerOf(id: string): Power | null
  setPaused(id: string, isPaused: boolean): void
  reboot(id: string, how: 'asked' | 'reset'): void
  /** Replaces the list of disks after a hotplug. */
  setDisks(id: string, disks: readonly GuestVmiDisk[]): void
  /** Replaces the list of NICs after a hotplug. */
  setNics(id: string, nics: readonly GuestVmiNic[]): void
  inject(id: string, act: GuestIncident): void
  /** Returns the agent's report, or null while no agent answers. */
  agentOf(id: string): AgentReport | null
  openSerial(id: string, listener: LineListener): Line | null
  /** Opens the display, as the server side of RFB. */
  openScreen(id: string, listener: LineListener): Line | null
  pictureOf(id: string): Picture | null
  listensOn(id: string, port: number): boolean
  /** Opens a TCP connection. Returns null when the guest refuses it. */
  dial(id: string, port: number, listener: LineListener): Line | null
  logOf(id: string): SerialLog | null
  /** Calls the listener with the VM whose power or agent changed without a request. */
  onChange(listener: (reference: VmReference) => void): () => void
  close(): void
}
