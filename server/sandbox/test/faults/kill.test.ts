import { expect, test } from 'vitest'
import { type KubeClient, startSandboxProcess } from '../../../../test/support/sandbox/sandbox.ts'

const rounds = 4
const writers = 6

/** Writes until the server stops. Only confirmed writes count. */
async function writeUntilGone(
  client: KubeClient,
  round: number,
  confirmed: Map<string, string>,
): Promise<void> {
  await Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      for (let index = 0; ; index += 1) {
        const name = `r${round}-w${writer}-${index}`
        const answer = await client
          .call('/api/v1/namespaces/default/configmaps', {
            method: 'POST',
            body: { metadata: { name }, data: { n: name } },
          })
          .catch(() => null)
        if (!answer) return
        expect(answer.status).toBe(201)
        confirmed.set(name, answer.body.metadata.uid)
      }
    }),
  )
}

test('a kill -9 during writes loses no confirmed write and never decreases the resourceVersion', async () => {
  const confirmed = new Map<string, string>()
  let sandbox = await startSandboxProcess()
  const { folder } = sandbox
  let version = 0
  for (let round = 0; round < rounds; round += 1) {
    const target = confirmed.size + 40
    const writing = writeUntilGone(sandbox, round, confirmed)
    while (confirmed.size < target) await new Promise((done) => setImmediate(done))
    await sandbox.kill('SIGKILL')
    await writing
    sandbox.close()
    sandbox = await startSandboxProcess(folder)
    const list = (await sandbox.call('/api/v1/namespaces/default/configmaps')).body
    const found = new Map(list.items.map((item) => [item.metadata.name, item.metadata.uid]))
    const lost = [...confirmed].filter(([name, uid]) => found.get(name) !== uid)
    expect(lost).toEqual([])
    expect(
      list.items.every(
        ({ metadata, data }) => metadata.name.startsWith('kube') || data?.n === metadata.name,
      ),
    ).toBe(true)
    expect(Number(list.metadata.resourceVersion)).toBeGreaterThan(version)
    version = Number(list.metadata.resourceVersion)
  }
  await sandbox.stop()
  expect(confirmed.size).toBeGreaterThanOrEqual(rounds * 40)
})
