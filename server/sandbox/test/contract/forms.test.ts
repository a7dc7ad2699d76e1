import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type RunningSandbox,
  startSandboxProcess,
} from '../../../../test/support/sandbox/sandbox.ts'

/* Content negotiation: responses as objects, metadata or tables, and bodies in JSON or YAML. */

let sandbox: RunningSandbox
beforeAll(async () => {
  sandbox = await startSandboxProcess(undefined, { pace: 0.1 })
  await sandbox.call('/api/v1/namespaces', {
    method: 'POST',
    body: { metadata: { name: 'forms' } },
  })
  await sandbox.call(maps, { method: 'POST', body: { metadata: { name: 'a' }, data: { k: 'y' } } })
})
afterAll(() => sandbox.stop())

const maps = '/api/v1/namespaces/forms/configmaps'
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io'

interface Response {
  kind: string
  apiVersion: string
  message: string
  rows: { cells: unknown[]; object: Record<string, unknown> | null }[]
  columnDefinitions: { name: string }[] | null
}

const ask = async (
  accept: string,
  query = '',
): Promise<{ status: number; type: unknown; response: Response; text: string }> => {
  const { status, headers, text } = await sandbox.call(`${maps}${query}`, { headers: { accept } })
  const type = headers['content-type']
  return {
    status,
    type,
    response: (type === 'application/json' ? JSON.parse(text) : {}) as Response,
    text,
  }
}

test.each([
  { accept: 'text/html', because: 'the API has no HTML' },
  {
    accept: 'application/vnd.kubernetes.protobuf',
    because: 'responses in protobuf are not supported',
  },
  {
    accept: 'application/json;as=Table;v=v2;g=meta.k8s.io',
    because: 'tables do not have this version',
  },
  {
    accept: 'application/json;as=Table;v=v1;g=example.com',
    because: 'tables belong to another group',
  },
  {
    accept: 'application/json;as=Picture;v=v1;g=meta.k8s.io',
    because: 'this representation does not exist',
  },
  {
    accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
    because: 'a list is not one object',
  },
])('the media type $accept is refused for a list: $because', async ({ accept }) => {
  const { status, response } = await ask(accept)
  expect([status, response.kind]).toEqual([406, 'Status'])
})

test.each([
  {
    accept: `${table},application/json`,
    kind: 'Table',
    because: 'the first supported type wins',
  },
  {
    accept: `application/vnd.kubernetes.protobuf,application/json`,
    kind: 'ConfigMapList',
    because: 'unsupported types are skipped',
  },
  {
    accept: `application/json;q=0.5,${table}`,
    kind: 'Table',
    because: 'the quality decides the preference',
  },
  {
    accept: 'application/json;as=Table;v=v1beta1;g=meta.k8s.io',
    kind: 'Table',
    because: 'the older version is served too',
  },
  { accept: '*/*', kind: 'ConfigMapList', because: 'any type means JSON' },
  {
    accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
    kind: 'PartialObjectMetadataList',
    because: 'it is a list',
  },
])('the media type $accept returns a $kind: $because', async ({ accept, kind }) => {
  const { status, response } = await ask(accept)
  expect([status, response.kind]).toEqual([200, kind])
})

test.each([
  { include: '', kind: 'PartialObjectMetadata' },
  { include: 'Metadata', kind: 'PartialObjectMetadata' },
  { include: 'Object', kind: 'ConfigMap' },
  { include: 'None', kind: undefined },
])('table rows contain the object part of includeObject=$include', async ({ include, kind }) => {
  const { response } = await ask(table, `?includeObject=${include}&fieldSelector=metadata.name%3Da`)
  expect(response.rows.map(({ object }) => object?.kind)).toEqual([kind])
})

test('a wrong includeObject is refused', async () => {
  const { status, response } = await ask(table, '?includeObject=Half')
  expect([status, response.message]).toEqual([
    422,
    expect.stringContaining('includeObject: Invalid value: "Half"'),
  ])
})

test('a kind without printer columns shows the creation time', async () => {
  const { text } = await sandbox.call('/api/v1/namespaces/forms/limitranges', {
    headers: { accept: table },
  })
  expect((JSON.parse(text) as Response).columnDefinitions?.map(({ name }) => name)).toEqual([
    'Name',
    'Created At',
  ])
})

test('the first event of a watch is the only one with column definitions', async () => {
  const query =
    '?watch=1&timeoutSeconds=1&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan'
  const { text } = await sandbox.call(`${maps}${query}`, { headers: { accept: table } })
  const events = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { type: string; object: Response })
  expect(events.length).toBeGreaterThan(2)
  expect(events.map(({ object }) => object.kind)).toEqual(events.map(() => 'Table'))
  expect(events.map(({ object }) => object.columnDefinitions !== null)).toEqual(
    events.map((_event, index) => index === 0),
  )
})

test('responses and errors use YAML when the client prefers it', async () => {
  const one = await sandbox.call(`${maps}/a`, { headers: { accept: 'application/yaml' } })
  expect([one.headers['content-type'], one.text]).toEqual([
    'application/yaml',
    expect.stringMatching(/^data:\n {2}k: ["']y["']$/m),
  ])
  const none = await sandbox.call(`${maps}/none`, { headers: { accept: 'application/yaml' } })
  expect([none.status, none.text]).toEqual([404, expect.stringMatching(/^reason: NotFound$/m)])
})

test('a duplicate key in a YAML body causes a warning, or a refusal with strict validation', async () => {
  const body = 'metadata:\n  name: twice\ndata:\n  k: a\n  k: b\n'
  const headers = { 'content-type': 'application/yaml' }
  const strict = await sandbox.call(`${maps}?fieldValidation=Strict`, {
    method: 'POST',
    headers,
    body,
  })
  expect([strict.status, strict.body.message]).toEqual([
    400,
    expect.stringContaining('line 5: key "k" already set in map'),
  ])
  const lenient = await sandbox.call(maps, { method: 'POST', headers, body })
  expect([lenient.status, lenient.headers.warning]).toEqual([
    201,
    '299 - "line 5: key \\"k\\" already set in map"',
  ])
})

test('a write can return a table', async () => {
  const { status, text } = await sandbox.call(maps, {
    method: 'POST',
    headers: { accept: table },
    body: { metadata: { name: 'written' } },
  })
  expect([status, (JSON.parse(text) as Response).rows[0]?.cells.slice(0, 2)]).toEqual([
    201,
    ['written', 0],
  ])
})

test('the OpenAPI index contains all groups with hashes of their content', async () => {
  const { paths } = JSON.parse((await sandbox.call('/openapi/v3')).text) as {
    paths: Record<string, { serverRelativeURL: string }>
  }
  const url = paths['apis/kubevirt.io/v1']?.serverRelativeURL ?? ''
  const { text } = await sandbox.call(url)
  const { components } = JSON.parse(text) as {
    components: { schemas: Record<string, { properties: Record<string, unknown> }> }
  }
  expect(
    Object.keys(components.schemas['io.kubevirt.v1.VirtualMachine']?.properties ?? {}),
  ).toEqual(['apiVersion', 'kind', 'metadata', 'spec', 'status'])
  const old = await sandbox.call('/openapi/v3/apis/kubevirt.io/v1?hash=OLD')
  expect([old.status, old.headers.location]).toEqual([301, url])
  expect((await sandbox.call('/openapi/v2', { headers: { accept: 'text/html' } })).status).toBe(406)
})

interface Described {
  paths: Record<
    string,
    Record<string, { operationId?: string; requestBody?: { required: boolean } }>
  >
  components: { schemas: Record<string, unknown> }
}

test('every OpenAPI document is complete and describes only served paths', async () => {
  const { paths } = JSON.parse((await sandbox.call('/openapi/v3')).text) as {
    paths: Record<string, { serverRelativeURL: string }>
  }
  const found = new Map<string, Described>()
  for (const [path, { serverRelativeURL }] of Object.entries(paths)) {
    const { status, text } = await sandbox.call(serverRelativeURL)
    expect(status, path).toBe(200)
    // The body is an OpenAPI document.
    const document = JSON.parse(text) as Described
    const referred = [...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(
      ([, name = '']) => name,
    )
    expect(referred.filter((name) => document.components.schemas[name] === undefined)).toEqual([])
    const ids = Object.values(document.paths).flatMap((item) =>
      Object.values(item).flatMap(({ operationId = [] }) => operationId),
    )
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
    found.set(path, document)
  }
  const response = [...found.values()].flatMap((document) => Object.entries(document.paths))
  const plain = response.flatMap(([path, item]) =>
    item['get'] && !path.includes('{') ? [path] : [],
  )
  expect(plain).toEqual(
    expect.arrayContaining([
      '/version/',
      '/apis/apps/',
      '/apis/apps/v1/',
      '/api/v1/pods',
      '/openid/v1/jwks/',
    ]),
  )
  for (const path of plain) expect((await sandbox.call(path)).status, path).toBe(200)
})

test('the OpenAPI document of a VM subresource describes its body', async () => {
  const root = '/apis/subresources.kubevirt.io/v1'
  const { paths } = JSON.parse((await sandbox.call(`/openapi/v3${root}`)).text) as Described
  const actions = `${root}/namespaces/{namespace}/virtualmachines/{name}`
  expect(paths[`${actions}/start`]?.['put']?.requestBody).toMatchObject({ required: false })
  expect(paths[`${actions}/addvolume`]?.['put']?.requestBody).toMatchObject({ required: true })
  expect(Object.keys(paths)).not.toContain(`${actions}/objectgraph`)
})
