import { ensureKubectl } from '../support/sandbox/kubectl.ts'

// The step `client` of `npm test` installs kubectl for the tests of the sandbox, if it may.
process.stdout.write(
  `client: ${(await ensureKubectl()) ?? 'this machine has no kubectl; tests that need it are skipped'}\n`,
)
