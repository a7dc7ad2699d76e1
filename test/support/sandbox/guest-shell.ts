import { onTestFinished } from 'vitest'
import { ConsolePeer } from '../clients/console-client.ts'
import { type Client } from '../clients/http-client.ts'

/** Of guests that somebody is to log in to. */
export const guestPassword = 'long enough'

/** Logged in to the serial console of a VM, until the test ends. */
export async function shellOf(client: Client, vmId: string, user = 'ubuntu'): Promise<ConsolePeer> {
  const document =
    'mutation ($id: ID!) { createVmConsoleTicket(input: { id: $id, kind: serial }) { url } }'
  const peer = await ConsolePeer.open(
    (await client.ask(document, { id: vmId })).createVmConsoleTicket.url,
  )
  onTestFinished(() => peer.leave())
  await peer.prompted()
  await peer.says(`${user}\r`, 'Password: ')
  await peer.says(`${guestPassword}\r`, '$ ')
  return peer
}

/** The words in front of the mark are not what was typed, so only the answer has them. */
export const does = (peer: ConsolePeer, command: string): Promise<void> =>
  peer.says(`${command} && echo d''one\r`, /\bdone\r?\n/, 10_000)
