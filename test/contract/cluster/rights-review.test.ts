import { afterEach, expect, test } from 'vitest'
import { type MissingRight } from '../../../server/src/engine/kube/missing-rights.ts'
import { gatewayTo, quietLog } from '../../support/cluster/gateway.ts'
import { answerJson, secureServer } from '../../support/cluster/scripted-server.ts'
import { type Json } from '../../support/json.ts'

/* The rights that Berth finds missing, from the reviews of scripted clusters. */
const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const groups = (...versions: string[]) => ({
  groups: versions.map((groupVersion) => ({ versions: [{ groupVersion }] })),
})
const served = [
  'kubevirt.io/v1',
  'subresources.kubevirt.io/v1',
  'cdi.kubevirt.io/v1beta1',
  'nmstate.io/v1',
]

/** Reads the capabilities of a cluster with these answers, and 404 for all other paths. */
async function capabilitiesWith(
  changed: Record<string, Json>,
): Promise<{ missingRights: readonly MissingRight[] | null }> {
  const answers: Record<string, Json> = { '/apis': groups(...served), ...changed }
  const server = await secureServer(({ url = '' }, response) => {
    const answer: Json = answers[url.split('?')[0] ?? '']
    if (answer !== undefined) return answerJson(response, 200, answer)
    response.writeHead(404, { 'content-type': 'text/plain' })
    response.end('404 page not found')
  })
  const cluster = gatewayTo(server)
  closing.push(
    () => server.close(),
    () => cluster.close(),
  )
  return cluster.reader.readCapabilities()
}

const reviews = {
  rules: '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews',
  access: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
  account: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
}
const everyRight = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] }
const account = { status: { userInfo: { username: 'berth' } } }

test.each([
  { because: 'one rule grants all', resourceRules: [everyRight], missing: 0 },
  {
    because: 'the rule for named objects grants nothing by itself',
    resourceRules: [{ ...everyRight, resourceNames: ['one'] }],
    missing: Infinity,
  },
  {
    because: 'a rule for all resources of a kind includes its subresources only by name',
    resourceRules: [everyRight].map((rule) => ({ ...rule, resources: ['*/log'] })),
    missing: Infinity,
  },
])('the review of rights counts rules: $because', async ({ resourceRules, missing }) => {
  const { missingRights } = await capabilitiesWith({
    [reviews.rules]: { status: { resourceRules, incomplete: false } },
    [reviews.account]: account,
  })
  const names = (missingRights ?? []).map(
    ({ user, verb, resource }) => `${user} ${verb} ${resource}`,
  )
  if (missing === 0) expect(names).toEqual([])
  else {
    expect(names).toContain('berth create virtualmachines.kubevirt.io')
    expect(names).toContain('berth update subresources.kubevirt.io virtualmachines/start')
  }
  expect(names.includes('berth get pods/log')).toBe(
    resourceRules[0]?.resources[0] !== '*/log' && missing > 0,
  )
})

test('an incomplete list of rules is followed by a question for each right that it lacks', async () => {
  const incomplete = { status: { resourceRules: [], incomplete: true } }
  const answered = { [reviews.rules]: incomplete, [reviews.account]: account }
  const allowed = { [reviews.access]: { status: { allowed: true } } }
  expect((await capabilitiesWith({ ...answered, ...allowed })).missingRights).toEqual([])
  const denied = { [reviews.access]: { status: { allowed: false } } }
  expect((await capabilitiesWith({ ...answered, ...denied })).missingRights).not.toEqual([])
})

test('a kind that the cluster does not serve needs no right', async () => {
  const { missingRights } = await capabilitiesWith({
    '/apis': groups(...served.filter((group) => group !== 'nmstate.io/v1')),
    [reviews.rules]: { status: { resourceRules: [], incomplete: false } },
    [reviews.account]: account,
  })
  const resources = (missingRights ?? []).map(({ resource }) => resource)
  expect(resources).toContain('datavolumes.cdi.kubevirt.io')
  expect(resources.filter((resource) => resource.includes('nmstate.io'))).toEqual([])
})

test('rights whose reviews cannot be read any more stay missing in the log', async () => {
  const logged: string[] = []
  let isHidden = false
  const server = await secureServer(({ url = '' }, response) => {
    const path = url.split('?')[0] ?? ''
    if (path === '/apis') return answerJson(response, 200, groups(...served))
    const rules = { status: { resourceRules: [], incomplete: false } }
    if (path === reviews.rules && !isHidden) return answerJson(response, 200, rules)
    response.writeHead(404, { 'content-type': 'text/plain' })
    response.end('404 page not found')
  })
  const collect = (event: string): void => void logged.push(event)
  const log = { ...quietLog, info: collect, error: collect }
  const cluster = gatewayTo(server, { log })
  closing.push(
    () => server.close(),
    () => cluster.close(),
  )
  await cluster.reader.readCapabilities()
  isHidden = true
  expect((await cluster.reader.readCapabilities()).missingRights).toBe(null)
  expect(new Set(logged)).toEqual(new Set(['cluster.right_missing']))
})
