import { expect, test } from 'vitest'
import { vmSshRoutes } from './vm-ssh.ts'

const expose = vmSshRoutes.find(({ method }) => method === 'POST')
const answerTo = (state: string, nodePort: number | null): unknown => {
  const ssh = { state, nodePort, explanation: state === 'refused' ? 'The port is taken.' : null }
  return expose?.output({ exposeVmSsh: { vm: { name: 'web', ssh } } })
}

test.each([
  { state: 'open', nodePort: 31_000 },
  { state: 'waiting', nodePort: 31_000 },
])('exposing SSH answers with the port when SSH is $state', ({ state, nodePort }) => {
  expect(answerTo(state, nodePort)).toEqual({ node_port: nodePort })
})

test.each([
  { state: 'opening', key: 'ssh.not_reachable_yet' },
  { state: 'closing', key: 'ssh.disabled_meanwhile' },
  { state: 'closed', key: 'ssh.disabled_meanwhile' },
  { state: 'refused', key: 'text' },
])('exposing SSH is refused with $key when SSH is $state', ({ state, key }) => {
  expect(() => answerTo(state, null)).toThrow(
    expect.objectContaining({ userMessage: expect.objectContaining({ key }) }),
  )
})
