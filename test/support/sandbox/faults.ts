import { type FaultBodies } from '../../../server/sandbox/faults/faults.ts'
import { type KubeClient } from './sandbox.ts'

/**
 * Injects faults into the sandbox; its faults.ts has the table of commands. The answer of a watch
 * command has the number of watches that it reached.
 */
export interface SandboxFaults {
  inject<Name extends keyof FaultBodies>(
    command: Name,
    body: FaultBodies[Name],
  ): Promise<{ watches?: number }>
}

export const sandboxFaults = (client: KubeClient): SandboxFaults => ({
  async inject(command, body) {
    const { status, text } = await client.call(`/_sandbox/${command}`, { method: 'POST', body })
    if (status !== 200) throw new TypeError(`the sandbox refused ${command}: ${text}`)
    // `commandsOn` in the sandbox defines the answer.
    return JSON.parse(text) as { watches?: number }
  },
})
