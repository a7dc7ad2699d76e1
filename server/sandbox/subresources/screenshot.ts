import { subjectOf } from './call.ts'
import { pngOf } from '../guests/png.ts'
import { inPlainText } from './guest.ts'
import { deny } from './refusals.ts'
import { streamKinds } from './stream-kinds.ts'

/** Returns the current screen as PNG. It does not disconnect an open VNC session. */
export const screenshot = inPlainText((call) => {
  const vmi = subjectOf(call)
  const { guests } = call.client.world
  streamKinds.vnc.check(vmi, { port: 0, protocol: '', preservesSession: true }, guests)
  const picture = guests?.pictureOf(vmi.metadata.uid ?? '')
  if (!picture) throw deny.internal('failed to retrieve the VNC screen')
  return { status: 200, body: pngOf(picture), contentType: 'image/png' }
})
