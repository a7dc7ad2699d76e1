/**
 * The reason why a stream ended. `asked`: this server closed it. `ended`: the other side closed it
 * in an orderly way. `lost`: the connection broke or was dropped without a close frame. KubeVirt
 * drops it when the VM moves or restarts, or when another session opens the console.
 */
export type CloseReason = 'asked' | 'ended' | 'lost'

export interface ReadStream {
  /**
   * The bytes in order. The iterable ends with the stream and never throws; leaving it early closes
   * the stream.
   */
  readonly bytes: AsyncIterable<Uint8Array>
  readonly closed: Promise<CloseReason>
  close(): void
}

export interface ByteStream extends ReadStream {
  /**
   * Resolves when the stream accepts more bytes. Bytes that are written after the end are dropped.
   */
  write(bytes: Uint8Array): Promise<void>
}

/** One VMI: a VM from power on to power off. */
export interface GuestVmi {
  uid: string
  startedAt: string | null
  /** The current launcher pod. After a migration the log starts again in another pod. */
  pod: string
}

export interface GuestLogStream extends ReadStream {
  readonly vmi: GuestVmi
}

/** Raw output of a guest. */
export interface GuestLog {
  vmi: GuestVmi
  bytes: Uint8Array
  /** True when earlier output is known to exist. */
  isCut: boolean
}

export interface RunningVmRef {
  namespace: string
  vm: string
}

/**
 * Byte streams of a running VM. A VM that is not running is `gone`. Console and screen allow one
 * session per VM each.
 */
export interface ClusterStreams {
  /**
   * Opens the serial console. It has no earlier output: connect and send a line feed to get a
   * prompt.
   */
  openConsole(ref: RunningVmRef): Promise<ByteStream>
  /**
   * Opens the graphical screen (RFB). It disconnects the previous session; with `polite` the new
   * session is refused instead.
   */
  openScreen(ref: RunningVmRef, options: { polite: boolean }): Promise<ByteStream>
  /** Streams the guest's serial output: the stored lines since its start, then new output. */
  followGuestLog(ref: RunningVmRef, from: { tailLines: number }): Promise<GuestLogStream>
  /** Reads the last lines of the guest's output, cut to the last bytes. */
  readGuestLog(ref: RunningVmRef, last: { lines: number; bytes: number }): Promise<GuestLog>
}
