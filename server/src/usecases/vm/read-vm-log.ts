import { type GuestLog } from '../../engine/kube/streams/streams.ts'
import { type Scope } from '../../engine/model/scope.ts'
import { linesIn } from '../../domain/guest/guest-lines.ts'
import { type LogReason, requireBoot, requireTailLines } from '../../domain/guest/guest-log.ts'
import { type KeptBoot } from '../../store/vm/vm-boot-log.ts'
import { type Berth } from '../berth.ts'
import { liveLogOf } from './guest-log-of.ts'
import { type NamedVm, findVm } from './named-vm.ts'

export interface VmLogQuestion extends NamedVm {
  tailLines?: number | null
  boot?: number | null
}

export interface VmLogView {
  boot: number
  /** Of a machine that runs now: more may come. */
  live: boolean
  lines: readonly string[]
  /** There was more before these lines. */
  truncated: boolean
  startedAt: string | null
  endedAt: string | null
  /** Why there are no lines; null when there are some. */
  reason: LogReason | null
  keptBoots: number
}

const mostBytes = 1024 * 1024

/**
 * What a machine's guest wrote to its serial line in one of its boots; null when there is no such
 * machine.
 */
export async function readVmLog(
  { berth, scope }: { berth: Berth; scope: Scope },
  asked: VmLogQuestion,
): Promise<VmLogView | null> {
  const [tailLines, boot] = [requireTailLines(asked.tailLines), requireBoot(asked.boot)]
  const vm = await findVm(berth.reads(scope), asked)
  if (!vm) return null
  // One more line than is shown tells whether there are more.
  const last = { lines: tailLines + 1, bytes: mostBytes }
  const live = await liveLogOf(berth, vm, (ref) => berth.streams.readGuestLog(ref, last))
  const liveRun = typeof live === 'string' ? null : live.run.uid
  const kept = (await berth.bootLogs.of(scope, vm.id)).filter(({ runUid }) => runUid !== liveRun)
  const shared = { boot, keptBoots: kept.length }
  if (boot === 0 && typeof live !== 'string') return { ...shared, ...ofLive(live, tailLines) }
  const found = kept[-boot - (liveRun === null ? 0 : 1)]
  if (!found)
    return {
      ...shared,
      ...nothing,
      reason: boot === 0 && typeof live === 'string' ? live : 'not_kept',
    }
  return {
    ...shared,
    ...ofKept(found, await berth.bootLogs.read(scope, vm.id, found.runUid), tailLines),
  }
}

type Content = Omit<VmLogView, 'boot' | 'keptBoots'>

const nothing: Omit<Content, 'reason'> = {
  live: false,
  lines: [],
  truncated: false,
  startedAt: null,
  endedAt: null,
}

function ofLive({ run, bytes, isCut }: GuestLog, tailLines: number): Content {
  const all = linesIn(bytes, { isCut })
  const reason = all.length === 0 ? 'silent' : null
  return {
    live: true,
    ...lastOf(all, isCut, tailLines),
    startedAt: run.startedAt,
    endedAt: null,
    reason,
  }
}

function ofKept(
  { startedAt, endedAt, isCut }: KeptBoot,
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
