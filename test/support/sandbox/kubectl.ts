import { execFile, spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { install, isProgram, mayInstall, onPath } from '../browser/debian.ts'
import { waitFor } from '../wait-for.ts'

const run = promisify(execFile)

/** Finds kubectl in `KUBECTL_PATH` or on PATH. Null when there is none. */
export const findKubectl = (): string | null =>
  [process.env['KUBECTL_PATH'] ?? '', ...onPath(['kubectl'])].find(isProgram) ?? null

/** Finds kubectl, or installs it from Debian's packages when that is allowed. Null otherwise. */
export async function ensureKubectl(): Promise<string | null> {
  const present = findKubectl()
  if (present !== null || !mayInstall()) return present
  // Without a network the installation fails, and tests that need kubectl report that.
  await install('kubernetes-client').catch(() => undefined)
  return findKubectl()
}

export interface KubectlResult {
  code: number
  out: string
  err: string
}

export interface KubectlProcess {
  /** The output so far. */
  text(): string
  until(words: RegExp): Promise<void>
  stop(): void
}

/** Runs kubectl against one cluster. */
export interface Kubectl {
  /** The minor version of kubectl. */
  minor: number
  /** Runs kubectl and returns its output. Throws when it fails. */
  do(args: string, input?: string): Promise<string>
  /** Runs kubectl and returns its exit code and output. */
  try(args: string, input?: string): Promise<KubectlResult>
  follow(args: string): KubectlProcess
}

/**
 * Returns kubectl for a cluster. Arguments are separated by spaces. An argument with spaces is in
 * single quotes.
 */
export async function kubectlOf(program: string, kubeconfig: string): Promise<Kubectl> {
  // A fresh HOME keeps kubectl's discovery cache from outliving the cluster.
  const env = {
    ...process.env,
    KUBECONFIG: kubeconfig,
    HOME: mkdtempSync(join(tmpdir(), 'berth-kubectl-')),
  }
  const attempt = (args: string, input?: string): Promise<KubectlResult> =>
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
): Promise<KubectlResult> {
  return new Promise((done) => {
    const child = execFile(program, args, { env, timeout: 60_000 }, (error, out, err) => {
      done({ code: typeof error?.code === 'number' ? error.code : error ? 1 : 0, out, err })
    })
    child.stdin?.end(input ?? '')
  })
}

function followed(child: ReturnType<typeof spawn>, what: string): KubectlProcess {
  let text = ''
  child.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString()))
  return {
    text: () => text,
    until: (words) =>
      waitFor(() => words.test(text), {
        timeoutMs: 15_000,
        what: `kubectl ${what} to print ${words}; it printed ${text}`,
      }),
    stop: () => void child.kill(),
  }
}
