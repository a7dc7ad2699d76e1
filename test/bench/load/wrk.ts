import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Load, LoadResult } from './load.ts'

/** Runs the same load with wrk, which uses less CPU than a generator in Node. */
export async function runWrk({ port, request, connections, seconds }: Load): Promise<LoadResult> {
  const folder = await mkdtemp(join(tmpdir(), 'berth-wrk-'))
  try {
    const script = join(folder, 'request.lua')
    await writeFile(script, scriptFor(request))
    const args = [
      '-t1',
      `-c${connections}`,
      `-d${Math.max(1, Math.round(seconds))}s`,
      '--latency',
      '-s',
      script,
      `http://127.0.0.1:${port}`,
    ]
    const { stdout } = await promisify(execFile)('wrk', args)
    const [requests = 0, microseconds = 1, p50 = 0, p99 = 0, bytes = 0] = (
      /^berth (.*)$/m.exec(stdout)?.[1] ?? ''
    )
      .split(' ')
      .map(Number)
    return {
      requests,
      perSecond: requests / (microseconds / 1e6),
      p50Ms: p50 / 1_000,
      p99Ms: p99 / 1_000,
      bytes: bytes / requests,
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const scriptFor = (request: string): string => `
local text = ${luaText(request)}
request = function() return text end
done = function(summary, latency)
  print(string.format("berth %d %d %d %d %d", summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), summary.bytes))
end
`

const luaText = (text: string): string =>
  `"${text.replace(/[\\"]/g, '\\$&').replaceAll('\r', '\\r').replaceAll('\n', '\\n')}"`
