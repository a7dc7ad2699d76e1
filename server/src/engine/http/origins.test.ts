import { expect, test } from 'vitest'
import { originsOn } from './origins.ts'

const origins = originsOn({
  publicUrl: 'https://cloud.example.com/console',
  allowedOrigins: ['https://desk.example'],
})
const configured = ['https://cloud.example.com', 'https://desk.example']

test.each(['127.0.0.1:8080', '192.168.1.5', '[::1]:8080', 'localhost:8080', 'berth.localhost'])(
  'pages of the address %s may use Berth there',
  (host) => {
    expect(origins(host).toSorted()).toEqual(
      [...configured, `http://${host}`, `https://${host}`].toSorted(),
    )
  },
)

test.each(['rebound.example', 'rebound.example:8080', 'localhost.example', '127.0.0.1.nip.io', ''])(
  'pages of the name %j may not use Berth unless it is configured',
  (host) => {
    expect(origins(host)).toEqual(configured)
  },
)
