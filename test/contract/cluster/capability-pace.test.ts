import { expect, onTestFinished, test } from 'vitest'
import { advancedClock } from '../../support/advanced-clock.ts'
import { gatewayTo } from '../../support/cluster/gateway.ts'
import { answerJson, secureServer } from '../../support/cluster/scripted-server.ts'
import { type Json } from '../../support/json.ts'

/* How often Berth reads what tells about the abilities of a cluster. */
const groups = (...versions: string[]) => ({
  groups: versions.map((groupVersion) => ({ versions: [{ groupVersion }] })),
})
const list = (...names: string[]) => ({
  metadata: { resourceVersion: '1' },
  items: names.map((name) => ({ metadata: { name, uid: name, resourceVersion: '1' } })),
})
const paths = {
  groups: '/apis',
  classes: '/apis/storage.k8s.io/v1/storageclasses',
  rules: '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews',
}
const granted = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] }

async function aCluster() {
  const answers: Record<string, Json> = {
    [paths.groups]: groups('kubevirt.io/v1'),
    [paths.classes]: list('fast'),
    [paths.rules]: { status: { incomplete: false, resourceRules: [granted] } },
  }
  const server = await secureServer(({ url = '' }, response) => {
    const answer: Json = answers[url.split('?')[0] ?? '']
    if (answer !== undefined) return answerJson(response, 200, answer)
    response.writeHead(404, { 'content-type': 'text/plain' })
    response.end('404 page not found')
  })
  const clock = advancedClock()
  const cluster = gatewayTo(server, { clock })
  onTestFinished(async () => {
    await cluster.close()
    await server.close()
  })
  /** Reads once a minute, and returns how often each path was called. */
  const read = async (minutes: number): Promise<(path: string) => number> => {
    const from = server.requests.length
    for (let each = 0; each < minutes; each++) {
      await cluster.reader.readCapabilities()
      clock.advance(60_000)
    }
    const sent = server.requests.slice(from).map(({ path }) => path.split('?')[0])
    return (path) => sent.filter((each) => each === path).length
  }
  return { answers, read, reader: cluster.reader }
}

test('components and rights are read each minute, and unchanged storage classes after up to five', async () => {
  const { read } = await aCluster()
  await read(15)
  const calls = await read(20)
  expect({
    groups: calls(paths.groups),
    rules: calls(paths.rules),
    classes: calls(paths.classes),
  }).toEqual({ groups: 20, rules: 20, classes: 4 })
})

test('storage classes are read again at once when a component appears', async () => {
  const { answers, read } = await aCluster()
  await read(15)
  answers[paths.groups] = groups('kubevirt.io/v1', 'cdi.kubevirt.io/v1beta1')
  expect((await read(1))(paths.classes)).toBe(1)
})

test('storage classes are read again at once when a right is missing, and when it is granted', async () => {
  const { answers, read } = await aCluster()
  const all = answers[paths.rules]
  await read(15)
  answers[paths.rules] = { status: { incomplete: false, resourceRules: [] } }
  expect((await read(1))(paths.classes)).toBe(1)
  answers[paths.rules] = all
  expect((await read(1))(paths.classes)).toBe(1)
})

test('a new storage class is found after at most five minutes', async () => {
  const { answers, read, reader } = await aCluster()
  await read(15)
  answers[paths.classes] = list('fast', 'new')
  await read(5)
  const { storageClasses } = await reader.readCapabilities()
  expect(storageClasses?.map(({ name }) => name)).toEqual(['fast', 'new'])
})
