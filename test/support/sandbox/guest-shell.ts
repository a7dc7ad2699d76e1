import { onTestFinished } from 'vitest'
import { ConsoleClient } from '../clients/console-client.ts'
import { type Client } from '../clients/http-client.ts'

/** The password of guests whose console a test uses. */
export const guestPassword = 'long enough'

/** Logs in to the serial console of a VM. The console closes when the test ends. */
export async function shellOf(
  client: Client,
  vmId: string,
  user = 'ubuntu',
): Promise<ConsoleClient> {
  const document =
    'mutation ($id: ID!) { createVmConsoleTicket(input: { id: $id, kind: serial }) { url } }'
  const consoleClient = await ConsoleClient.open(
    (await client.ask(document, { id: vmId })).createVmConsoleTicket.url,
  )
  onTestFinished(() => consoleClient.leave())
  await consoleClient.waitForPrompt()
  await consoleClient.typeAndExpect(`${user}\r`, 'Password: ')
  await consoleClient.typeAndExpect(`${guestPassword}\r`, '$ ')
  return consoleClient
}

/** Runs a command. The marker is typed as `d''one`, so only the output contains `done`. */
export const does = (client: ConsoleClient, command: string): Promise<void> =>
  client.typeAndExpect(`${command} && echo d''one\r`, /\bdone\r?\n/, 10_000)
