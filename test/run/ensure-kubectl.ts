import { ensureKubectl } from '../support/sandbox/kubectl.ts'

process.stdout.write(
  `client: ${(await ensureKubectl()) ?? 'this machine has no kubectl; tests that need it are skipped'}\n`,
)
