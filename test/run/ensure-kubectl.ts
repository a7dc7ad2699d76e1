import { ensureKubectl } from '../support/sandbox/kubectl.ts'

process.stdout.write(
  `client: ${(await ensureKubectl()) ?? 'there is no kubectl on this machine; what needs it is skipped'}\n`,
)
