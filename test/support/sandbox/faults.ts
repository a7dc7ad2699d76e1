import { type FaultBodies } from '../../../server/sandbox/faults/faults.ts'
import { type KubeDoor } from './sandbox.ts'

/**
 * Faults on command; see the table in the sandbox's faults.ts. The answer of a watch command tells
 * how many watches it reached.
 */
export interface SandboxFaults {
  order<Name extends keyof FaultBodies>(
    command: Name,
    body: FaultBodies[Name],
  ): Promise<{ watches?: number }>
}

export const sandboxFaults = (door: KubeDoor): SandboxFaults => ({
  async order(command, body) {
    const { status, text } = await door.call(`/_sandbox/${command}`, { method: 'POST', body })
    if (status !== 200) throw new TypeError(`the sandbox refused ${command}: ${text}`)
    // See commandsOn there.
    return JSON.parse(text) as { watches?: number }
  },
})
