import { execFile, spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { install, isProgram, mayInstall, onPath } from '../browser/debian.ts'
import { waitFor } from '../wait-for.ts'

const run = promisify(execFile)

/** The client of Kubernetes: `KUBECTL_PATH`, then PATH; null when there is none. */
export const findKubectl = (): string | null =>
  [process.env['KUBECTL_PATH'] ?? '', ...onPath(['kubectl'])].find(isProgram) ?? null

/**
 * The client, installed from Debian's packages when it is missing and we may; null where that
 * cannot be.
 */
export async function ensureKubectl(): Promise<string | null> {
  const present = findKubectl()
  if (present !== null || !mayInstall()) return present
  // A machine without a network has no client either; the tests that need one say so.
  await install('kubernetes-client').catch(() => undefined)
  return findKubectl()
}

export interface Said {
  code: number
  out: string
  err: string
}

export interface Following {
  /** All that came so far. */
  text(): string
  until(words: RegExp): Promise<void>
  stop(): void
}

export interface Kubectl {
  /** The second number of its version. */
  minor: number
  /** What it says on its output; an error when it fails. */
  do(args: string, input?: string): Promise<string>
  /** The same, whatever becomes of it. */
  try(args: string, input?: string): Promise<Said>
  follow(args: string): Following
}

/**
 * The client with a cluster. Arguments are separated by blanks; what has blanks itself stands in
 * single quotes.
 */
export async function kubectlOf(program: string, kubeconfig: string): Promise<Kubectl> {
  // Its caches of what is served must not outlive the cluster.
  const env = {
    ...process.env,
    KUBECONFIG: kubeconfig,
    HOME: mkdtempSync(join(tmpdir(), 'berth-kubectl-')),
  }
  const attempt = (args: string, input?: string): Promise<Said> =>
    attempted(program, wordsOf(args), { env, input })
  const { stdout } = await run(program, ['version', '--client', '-o', 'json'], { env })
  const { clientVersion } = JSON.parse(stdout) as { clientVersion: { minor: string } }
  return {
    minor: parseInt(clientVersion.minor, 10),
    try: attempt,
    async do(args, input) {
      const { code, out, err } = await attempt(args, input)
      if (code !== 0) throw new TypeError(`kubectl ${args} ended with ${code}: ${err}${out}`)
      return out
    },
    follow: (args) =>
      followed(spawn(program, wordsOf(args), { env, stdio: ['ignore', 'pipe', 'inherit'] }), args),
  }
}

const wordsOf = (args: string): string[] =>
  (args.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replace(/^'(.*)'$/s, '$1'))

function attempted(
  program: string,
  args: string[],
  { env, input }: { env: NodeJS.ProcessEnv; input: string | undefined },
): Promise<Said> {
  return new Promise((done) => {
    const child = execFile(program, args, { env, timeout: 60_000 }, (error, out, err) => {
      done({ code: typeof error?.code === 'number' ? error.code : error ? 1 : 0, out, err })
    })
    child.stdin?.end(input ?? '')
  })
}

function followed(child: ReturnType<typeof spawn>, what: string): Following {
  let text = ''
  child.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString()))
  return {
    text: () => text,
    until: (words) =>
      waitFor(() => words.test(text), {
        timeoutMs: 15_000,
        what: `kubectl ${what} to say ${words}, not ${text}`,
      }),
    stop: () => void child.kill(),
  }
}
