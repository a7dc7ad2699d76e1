import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { chromiumArgs, ensureChromium } from '../../support/browser/chromium.ts'

/*
 * A browser as people have it. One that a test drives tells of each request and where in a script
 * it was asked for; to know that, it reads the whole script once more (4 to 8 ms of the console's,
 * measured), and it works for what it is watched by besides. Nothing here is told before a page is
 * asked, and it is asked once it has had the time that most of it takes.
 */
export interface UnwatchedBrowser extends AsyncDisposable {
  visit(visit: Visit): Promise<Record<string, number>>
}

interface Visit {
  url: string
  cookies: readonly { name: string; value: string; url: string }[]
  /** Run in the page before anything of it. */
  begin: string
  /** Asked in the page until it is not null. */
  ask: string
}

const window = { width: 1360, height: 860 }
const quiet = [
  '--headless=new',
  '--disable-extensions',
  '--no-default-browser-check',
  '--disable-features=Translate,MediaRouter',
]
const longestMs = 30_000

export async function openUnwatched(): Promise<UnwatchedBrowser> {
  const folder = mkdtempSync(join(tmpdir(), 'berth-bench-browser-'))
  const places = [
    `--user-data-dir=${folder}`,
    '--remote-debugging-port=0',
    `--window-size=${window.width},${window.height}`,
  ]
  const browser = spawn(
    await ensureChromium(),
    [...chromiumArgs, ...quiet, ...places, 'about:blank'],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  const line = await lineOf(browser.stderr, /^DevTools listening on (.*)$/)
  // It may say more, and would wait until somebody has read it.
  browser.stderr.resume()
  const call = await talkTo(line)
  return {
    visit: (visit) => visited(call, visit),
    async [Symbol.asyncDispose]() {
      browser.kill()
      await once(browser, 'exit')
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

async function lineOf(stream: NodeJS.ReadableStream, pattern: RegExp): Promise<string> {
  const lines = createInterface({ input: stream })
  for await (const line of lines) {
    const [, found] = pattern.exec(line) ?? []
    if (found) return found
  }
  throw new Error('the browser ended before it said where it listens')
}

type Params = Record<string, unknown>
type Call = (method: string, params?: Params, sessionId?: string) => Promise<Params>

async function talkTo(url: string): Promise<Call> {
  const socket = new WebSocket(url)
  await once(socket, 'open')
  const waiting = new Map<number, PromiseWithResolvers<Params>>()
  socket.on('message', (data: Buffer) => {
    // What the browser's protocol says.
    const { id, result, error } = JSON.parse(data.toString()) as {
      id?: number
      result?: Params
      error?: { message: string }
    }
    const asked = waiting.get(id ?? 0)
    if (error) asked?.reject(new Error(error.message))
    else asked?.resolve(result ?? {})
    waiting.delete(id ?? 0)
  })
  let last = 0
  return (method, params = {}, sessionId) => {
    const asked = Promise.withResolvers<Params>()
    waiting.set((last += 1), asked)
    socket.send(JSON.stringify({ id: last, method, params, sessionId }))
    return asked.promise
  }
}

/** With a profile of its own: nothing is kept from a visit before. */
async function visited(
  call: Call,
  { url, cookies, begin, ask }: Visit,
): Promise<Record<string, number>> {
  const { browserContextId } = await call('Target.createBrowserContext')
  try {
    await call('Storage.setCookies', { cookies, browserContextId })
    const { targetId } = await call('Target.createTarget', {
      url: 'about:blank',
      browserContextId,
      ...window,
    })
    const { sessionId } = await call('Target.attachToTarget', { targetId, flatten: true })
    const inPage: Call = (method, params) => call(method, params, String(sessionId))
    await inPage('Page.enable')
    await inPage('Page.addScriptToEvaluateOnNewDocument', { source: begin })
    await inPage('Page.navigate', { url })
    return await asked(inPage, ask)
  } finally {
    await call('Target.disposeBrowserContext', { browserContextId })
  }
}

async function asked(inPage: Call, expression: string): Promise<Record<string, number>> {
  const endsAt = performance.now() + longestMs
  for (let waitMs = 500; performance.now() < endsAt; waitMs = 50) {
    await pause(waitMs)
    const { result } = await inPage('Runtime.evaluate', { expression, returnByValue: true })
    // What the expression gives.
    const { value } = result as { value?: Record<string, number> | null }
    if (value) return value
  }
  throw new Error(`${expression} was null for ${longestMs} ms`)
}
