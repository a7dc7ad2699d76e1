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
 * A browser without instrumentation, like a user's. A browser under test tools reports every
 * request with its position in the script. For that it reads the whole script again, which takes 4
 * to 8 ms for the console. Here the page is not queried before most of its load time has passed.
 */
export interface UnwatchedBrowser extends AsyncDisposable {
  load(page: PageLoad): Promise<Record<string, number>>
}

interface PageLoad {
  url: string
  cookies: readonly { name: string; value: string; url: string }[]
  /** A script that runs before the page's own scripts. */
  begin: string
  /** An expression that is evaluated in the page until it is not null. */
  ask: string
}

const window = { width: 1360, height: 860 }
const quiet = [
  '--headless=new',
  '--disable-extensions',
  '--no-default-browser-check',
  '--disable-features=Translate,MediaRouter',
]
const timeoutMs = 30_000

/** Starts the browser. */
export async function openUnwatched(): Promise<UnwatchedBrowser> {
  const folder = mkdtempSync(join(tmpdir(), 'berth-bench-browser-'))
  const launchOptions = [
    `--user-data-dir=${folder}`,
    '--remote-debugging-port=0',
    `--window-size=${window.width},${window.height}`,
  ]
  const browser = spawn(
    await ensureChromium(),
    [...chromiumArgs, ...quiet, ...launchOptions, 'about:blank'],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  const line = await lineOf(browser.stderr, /^DevTools listening on (.*)$/)
  // Discards further output, because a full pipe would block the browser.
  browser.stderr.resume()
  const call = await talkTo(line)
  return {
    load: (page) => loadPage(call, page),
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
  throw new Error('the browser exited before it printed its DevTools address')
}

type Params = Record<string, unknown>
type Call = (method: string, params?: Params, sessionId?: string) => Promise<Params>

async function talkTo(url: string): Promise<Call> {
  const socket = new WebSocket(url)
  await once(socket, 'open')
  const waiting = new Map<number, PromiseWithResolvers<Params>>()
  socket.on('message', (data: Buffer) => {
    // A message of the DevTools protocol.
    const { id, result, error } = JSON.parse(data.toString()) as {
      id?: number
      result?: Params
      error?: { message: string }
    }
    const pending = waiting.get(id ?? 0)
    if (error) pending?.reject(new Error(error.message))
    else pending?.resolve(result ?? {})
    waiting.delete(id ?? 0)
  })
  let last = 0
  return (method, params = {}, sessionId) => {
    const pending = Promise.withResolvers<Params>()
    waiting.set((last += 1), pending)
    socket.send(JSON.stringify({ id: last, method, params, sessionId }))
    return pending.promise
  }
}

/** Loads the page in a new browser context, so that nothing is cached from an earlier load. */
async function loadPage(
  call: Call,
  { url, cookies, begin, ask }: PageLoad,
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
    return await evaluated(inPage, ask)
  } finally {
    await call('Target.disposeBrowserContext', { browserContextId })
  }
}

async function evaluated(inPage: Call, expression: string): Promise<Record<string, number>> {
  const endsAt = performance.now() + timeoutMs
  for (let waitMs = 500; performance.now() < endsAt; waitMs = 50) {
    await pause(waitMs)
    const { result } = await inPage('Runtime.evaluate', { expression, returnByValue: true })
    // The value of the expression.
    const { value } = result as { value?: Record<string, number> | null }
    if (value) return value
  }
  throw new Error(`${expression} was null for ${timeoutMs} ms`)
}
