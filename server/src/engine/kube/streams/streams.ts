/**
 * How a stream came to its end. `asked`: we closed it. `ended`: the other side did, in an orderly
 * way. `lost`: the connection broke, or the other side let go without a word, which is also how a
 * VM that moves, restarts or gets a second visitor ends the first one's visit.
 */
export type CloseReason = 'asked' | 'ended' | 'lost'

export interface ReadStream {
  /** In order; ends with the stream and never throws. To stop reading it closes the stream. */
  readonly bytes: AsyncIterable<Uint8Array>
  readonly closed: Promise<CloseReason>
  close(): void
}

export interface ByteStream extends ReadStream {
  /** Resolves when there is room for more; what is written after the end is dropped. */
  write(bytes: Uint8Array): Promise<void>
}

/** One run of a VM, from power on to power off. */
export interface GuestRun {
  uid: string
  startedAt: string | null
  /** Where it runs now: after a move the log begins anew, in another pod. */
  pod: string
}

export interface GuestLogStream extends ReadStream {
  readonly run: GuestRun
}

/** What a guest has written, as it came. */
export interface GuestLog {
  run: GuestRun
  bytes: Uint8Array
  /** There is more before it, as far as anybody knows. */
  isCut: boolean
}

export interface RunningVmRef {
  namespace: string
  vm: string
}

/**
 * Live bytes of a running VM. A VM that does not run is `gone`. There is one visitor per VM for
 * each of console and screen.
 */
export interface ClusterStreams {
  /**
   * The serial console. Nothing of what was there before comes: join and send a line feed for a
   * prompt.
   */
  openConsole(ref: RunningVmRef): Promise<ByteStream>
  /**
   * RFB of the graphical screen. Whoever came before is thrown out, or with `polite` the newcomer
   * is refused.
   */
  openScreen(ref: RunningVmRef, visit: { polite: boolean }): Promise<ByteStream>
  /**
   * What the guest has written to its serial console since it started, as far as it is kept, and
   * then what it writes.
   */
  followGuestLog(ref: RunningVmRef, from: { tailLines: number }): Promise<GuestLogStream>
  /** The last lines of what the guest has written until now, and of these the last bytes. */
  readGuestLog(ref: RunningVmRef, last: { lines: number; bytes: number }): Promise<GuestLog>
}
