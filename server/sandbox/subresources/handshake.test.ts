import { expect, test } from 'vitest'
import { brokenHandshake } from './handshake.ts'

const headers = {
  connection: 'keep-alive, Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
}

test.each([
  [{}, null],
  [{ connection: 'close' }, /'upgrade' token/],
  [{ upgrade: 'h2c' }, /'websocket' token/],
  [{ 'sec-websocket-version': '8' }, /unsupported version/],
  [{ 'sec-websocket-key': 'short' }, /16-byte/],
])('a handshake with %o gets the error %s', (changed, why) => {
  const refusal = brokenHandshake({ method: 'GET', headers: { ...headers, ...changed } })
  if (why === null) expect(refusal).toBeNull()
  else expect(refusal).toMatch(why)
})
