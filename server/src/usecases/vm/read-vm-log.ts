import { type GuestLog } from '../../engine/kube/streams/streams.ts'
import { type Scope } from '../../engine/model/scope.ts'
import { linesIn } from '../../domain/guest/guest-lines.ts'
import { type LogReason, requireBoot, requireTailLines } from '../../domain/guest/guest-log.ts'
import { type StoredBoot } from '../../store/vm/vm-boot-log.ts'
import { type Berth } from '../berth.ts'
import { liveLogOf } from './guest-log-of.ts'
import { type NamedVm, findVm } from './named-vm.ts'

export interface ReadVmLogRequest extends NamedVm {
  tailLines?: number | null
  boot?: number | null
}

export interface VmLogView {
  boot: number
  /** True while the VM runs and may write more. */
  live: boolean
  lines: readonly string[]
  /** True when earlier lines were left out. */
  truncated: boolean
  startedAt: string | null
  endedAt: string | null
  /** Why there are no lines. Null when there are some. */
  reason: LogReason | null
  keptBoots: number
}

const maxBytes = 1024 * 1024

/** Returns the serial console output of one boot of a VM. Null when there is no such VM. */
export async function readVmLog(
  { berth, scope }: { berth: Berth; scope: Scope },
  request: ReadVmLogRequest,
): Promise<VmLogView | null> {
  const [tailLines, boot] = [requireTailLines(request.tailLines), requireBoot(request.boot)]
  const vm = await findVm(berth.reads(scope), request)
  if (!vm) return null
  // One extra line tells if there are more.
  const last = { lines: tailLines + 1, bytes: maxBytes }
  const live = await liveLogOf(berth, vm, (ref) => berth.streams.readGuestLog(ref, last))
  const liveRun = typeof live === 'string' ? null : live.vmi.uid
  const storedBoots = (await berth.bootLogs.of(scope, vm.id)).filter(
    ({ vmiUid }) => vmiUid !== liveRun,
  )
  const shared = { boot, keptBoots: storedBoots.length }
  if (boot === 0 && typeof live !== 'string') return { ...shared, ...fromLive(live, tailLines) }
  const found = storedBoots[-boot - (liveRun === null ? 0 : 1)]
  if (!found)
    return {
      ...shared,
      ...noLines,
      reason: boot === 0 && typeof live === 'string' ? live : 'not_kept',
    }
  return {
    ...shared,
    ...fromStored(found, await berth.bootLogs.read(scope, vm.id, found.vmiUid), tailLines),
  }
}

type Content = Omit<VmLogView, 'boot' | 'keptBoots'>

const noLines: Omit<Content, 'reason'> = {
  live: false,
  lines: [],
  truncated: false,
  startedAt: null,
  endedAt: null,
}

function fromLive({ vmi, bytes, isCut }: GuestLog, tailLines: number): Content {
  const all = linesIn(bytes, { isCut })
  const reason = all.length === 0 ? 'silent' : null
  return {
    live: true,
    ...lastOf(all, isCut, tailLines),
    startedAt: vmi.startedAt,
    endedAt: null,
    reason,
  }
}

function fromStored(
  { startedAt, endedAt, isCut }: StoredBoot,
  bytes: Uint8Array,
  tailLines: number,
): Content {
  const all = linesIn(bytes, { isCut })
  return {
    live: false,
    ...lastOf(all, isCut, tailLines),
    startedAt,
    endedAt,
    reason: all.length === 0 ? 'silent' : null,
  }
}

const lastOf = (
  all: readonly string[],
  isCut: boolean,
  tailLines: number,
): Pick<Content, 'lines' | 'truncated'> => ({
  lines: all.slice(-tailLines),
  truncated: isCut || all.length > tailLines,
})
