import { readFile } from 'node:fs/promises'
import { type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { type Connect, type Plugin, type ViteDevServer, createServer } from 'vite'

/*
 * The console of `npm run dev`: Vite serves the page and its modules and passes every other request
 * on to the server. Arguments: host, port, address of the server. The parent process reports over
 * the channel whether the server answers. Until then requests wait here, so that no restart fails
 * a request. The parent stops the server after this process reports that no request is in flight.
 */
const [host = '127.0.0.1', port = '8080', server = ''] = process.argv.slice(2)
const ofServer = /^\/(graphql|api|auth|ws|healthz|readyz|metrics)(\/|\?|$)/
const longestWaitMs = 60_000
/** An event stream never ends by itself, so a restart does not wait longer for it. */
const longestAnswerMs = 1_000

const passedOn = new Set<Promise<unknown>>()
let ready = Promise.withResolvers<null>()
let isReady = false
process.on('message', (message: { isReady: boolean }) => {
  if (message.isReady) ready.resolve(null)
  else {
    // Requests that already wait keep waiting for the same promise.
    if (isReady) ready = Promise.withResolvers()
    const late = new Promise((resolve) => setTimeout(resolve, longestAnswerMs))
    void Promise.race([Promise.all(passedOn), late]).then(() => process.send?.('waits'))
  }
  isReady = message.isReady
})
process.once('disconnect', () => process.exit())

const waitForServer: Connect.NextHandleFunction = (request, response, next) => {
  if (!ofServer.test(request.url ?? '')) return next()
  const passOn = () => {
    const answered = new Promise((resolve) => response.once('close', resolve))
    passedOn.add(answered)
    void answered.then(() => passedOn.delete(answered))
    next()
  }
  const late = setTimeout(passOn, longestWaitMs)
  void ready.promise.then(() => {
    clearTimeout(late)
    passOn()
  })
}

/** Fills the page as the server fills the built one (server/src/edge/console-handler.ts). */
async function pageFor(vite: ViteDevServer, request: IncomingMessage): Promise<string> {
  const cookies = request.headers.cookie ?? ''
  const settings = [...cookies.matchAll(/(?<=^|; )berth-(theme|language|visits)=([\w-]+)/g)]
  const path = request.url ?? '/'
  const hasSession = !path.startsWith('/login') && /(?<=^|; )berth-refresh=./.test(cookies)
  const page = await readFile(join(import.meta.dirname, 'index.html'), 'utf8')
  const filled = page
    .replace('__SESSION__', hasSession ? 'yes' : 'no')
    .replace(
      ' data-kept="__KEPT__"',
      settings.map(([, name, is]) => ` data-${name}="${is}"`).join(''),
    )
    // The development server sends no content security policy, so no nonce is needed.
    .replace(/<meta name="csp-nonce"[^>]*>/, '')
    .replaceAll(' nonce="__CSP_NONCE__"', '')
    .replace('__QUESTIONS__', '[]')
  return vite.transformIndexHtml(path, filled)
}

const page: Plugin = {
  name: 'berth-page',
  configureServer(vite) {
    vite.middlewares.use(waitForServer)
    vite.middlewares.use((request, response, next) => {
      const isPage = request.headers.accept?.includes('text/html') && request.method === 'GET'
      if (!isPage || ofServer.test(request.url ?? '')) return next()
      pageFor(vite, request).then(
        (text) => response.setHeader('content-type', 'text/html; charset=utf-8').end(text),
        next,
      )
    })
  },
}

const vite = await createServer({
  root: import.meta.dirname,
  appType: 'custom',
  clearScreen: false,
  logLevel: 'warn',
  plugins: [page],
  server: {
    host,
    port: Number(port),
    strictPort: true,
    proxy: { [ofServer.source]: { target: server, ws: true } },
  },
}).catch(leave)
await vite.listen().catch(leave)
process.send?.('ready')

function leave(error: Error): never {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
}
