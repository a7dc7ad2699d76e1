import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { chooseSnapshotClass } from '../../../server/src/domain/storage-class/snapshot-class.ts'
import { assessStorageClass } from '../../../server/src/cluster/capabilities/assess-storage.ts'
import { Fault } from '../../../server/src/engine/model/fault.ts'
import { takers, words } from '../../../server/src/domain/network/plan.ts'
import { publicNetworkStateFrom } from '../../../server/src/domain/network/public-network-state.ts'
import { networkDeleteRefusal } from '../../../server/src/domain/network/rules.ts'
import { detachRefusal } from '../../../server/src/domain/nic/change.ts'
import {
  otherEnforcementOf,
  podEnforcementOf,
} from '../../../server/src/domain/security-group/guard.ts'
import { groupRefusal, unused, useRefusal } from '../../../server/src/domain/security-group/uses.ts'
import {
  scheduleActions,
  scheduleRefusal,
} from '../../../server/src/domain/snapshot-schedule/refusals.ts'
import { snapshotScheduleStates } from '../../../server/src/domain/snapshot-schedule/snapshot-schedule.ts'
import { requirePublicKey } from '../../../server/src/domain/ssh-key/public-key.ts'
import { quotaRefusal, quotaResources } from '../../../server/src/domain/tenant/quota.ts'
import { tenantRefusal } from '../../../server/src/domain/tenant/rules.ts'
import { tenantStates } from '../../../server/src/domain/tenant/tenant.ts'
import { refusalOf, vmActions } from '../../../server/src/domain/vm/lifecycle.ts'
import { vmStates } from '../../../server/src/domain/vm/state.ts'
import {
  importReasons,
  importWords,
} from '../../../server/src/domain/vm-template/import-failure.ts'
import { deployRefusal, templateRefusal } from '../../../server/src/domain/vm-template/refusals.ts'
import { importStates, templateStates } from '../../../server/src/domain/vm-template/vm-template.ts'
import { volumeActions, volumeRefusal } from '../../../server/src/domain/volume/refusals.ts'
import { volumeStates } from '../../../server/src/domain/volume/state.ts'
import { volumeSnapshotStates } from '../../../server/src/domain/volume-snapshot/state.ts'
import { restoreRefusal } from '../../../server/src/domain/volume-snapshot/volume-snapshot.ts'
import { vpcDeleteRefusal } from '../../../server/src/domain/vpc/rules.ts'
import { portugueseSentences, portugueseTold } from '../../../web/src/words/portuguese.ts'
import { sayingOf } from '../../../web/src/words/sentences.ts'

const name = 'quay-1'
const others = ['quay-2', 'quay-3']
const each = [true, false]
const storage = {
  binding: 'immediate',
  accessModes: [],
  liveMigrate: { available: true, reason: null },
  snapshotClass: null,
  isDefault: true,
} as const
const unable = { available: false, reason: null }
const group = (names: string[]) => ({ names, total: names.length })

const uplink = { bridge: 'br-public', uplink: 'eth1' }
const host = { name, addresses: [], waysOut: [], interfaces: [] }
const rule = {
  direction: 'ingress',
  protocol: 'icmp',
  portFrom: null,
  portTo: null,
  singlePort: false,
  cidr: null,
  peerGroupId: null,
} as const
const nicKinds = ['private', 'public'] as const

function abilitiesWith(classes: readonly string[]): (string | null | undefined)[] {
  const snapshotClasses = classes.map((each) => ({ name: each, driver: 'disks', isDefault: false }))
  const found = { metadata: { name }, provisioner: 'disks' }
  const { expand, liveMigrate } = assessStorageClass(found, { profiles: [], hasCdi: true })
  const choice = { storageClass: name, driver: 'disks', profileClass: null, configuredClass: null }
  const chosen = chooseSnapshotClass(choice, snapshotClasses)
  return [expand.reason, liveMigrate.reason, 'missing' in chosen ? chosen.missing : null]
}

/** What people send as a public key. */
const keys = [
  '',
  '-----BEGIN OPENSSH PRIVATE KEY-----',
  '---- BEGIN SSH2 PUBLIC KEY ----',
  'ssh-rsa AAAA\nssh-rsa AAAA',
  'ssh-rsa \u0007',
  'AAAAC3',
  'ssh-rsa-cert-v01@openssh.com AAAA',
  'ssh-dss AAAA',
  'no-pty ssh-rsa AAAA',
  'ssh-rsa',
  'ssh-ed25519 AAAAB3NzaC1yc2EAAAADAQAB',
]
function mistakeIn(key: string): string | null {
  try {
    requirePublicKey(key)
    return null
  } catch (error) {
    return error instanceof Fault ? (error.fields[0]?.message ?? null) : null
  }
}

type Refused = string | { message: string } | null | undefined

/**
 * All that the server can answer where it says why an action is refused: asked of its own rules, in
 * every state.
 */
const refusals: Readonly<Record<string, Refused[]>> = {
  vm: vmActions.flatMap((action) =>
    vmStates.flatMap((state) =>
      ([null, 'snapshot', 'restore'] as const).flatMap((busyWith) =>
        each.map((is) => refusalOf(action, { name, state, busyWith, isProtected: is, hasIso: is })),
      ),
    ),
  ),
  volume: volumeActions.flatMap((action) =>
    volumeStates.flatMap((state) =>
      each.flatMap((bound) =>
        [null, 'vm'].flatMap((vmId) =>
          [null, 'vm'].flatMap((heldBy) => {
            const volume = {
              name,
              state,
              bound,
              vmId,
              heldBy,
              deleting: state === 'deleting',
              storageClass: 'slow',
            }
            return [null, [{ ...storage, name: 'slow', expand: unable, snapshot: unable }]].map(
              (classes) => volumeRefusal(action, volume, classes),
            )
          }),
        ),
      ),
    ),
  ),
  snapshot: volumeSnapshotStates.map((state) => restoreRefusal({ name, state, deleting: false })),
  schedule: scheduleActions.flatMap((action) =>
    snapshotScheduleStates.map((state) => scheduleRefusal(action, { name, state })),
  ),
  template: each.flatMap((readOnly) =>
    each.flatMap((deleting) =>
      (['iso', 'container'] as const).flatMap((sourceType) =>
        [null, ...importStates].flatMap((importState) =>
          templateStates.flatMap((state) => {
            const template = { name, readOnly, deleting, sourceType, importState, state }
            const acts = (['update', 'delete', 'retryImport'] as const).map((action) =>
              templateRefusal(action, template),
            )
            return [...acts, deployRefusal(template)]
          }),
        ),
      ),
    ),
  ),
  network: each.map((isDefault) => networkDeleteRefusal({ name, isDefault }, others)),
  vpc: [
    ...each.map((isDefault) =>
      vpcDeleteRefusal({ name, isDefault }, { networks: [], vms: others }),
    ),
    vpcDeleteRefusal({ name, isDefault: false }, { networks: others, vms: [] }),
  ],
  group: [
    ...(['deleted', 'renamed'] as const).map((act) => groupRefusal({ isDefault: true }, act)),
    ...[['a'], ['a', 'b']].flatMap((names) => [
      useRefusal(name, { ...unused, vms: group(names) }),
      useRefusal(name, { ...unused, groups: group(names) }),
    ]),
  ],
  nic: [
    detachRefusal([], { id: '1', state: 'connected', networkId: null }),
    ...(['connected', 'leaving'] as const).map((state) =>
      detachRefusal([], { id: '1', state, networkId: 'n' }),
    ),
  ],
  tenant: tenantStates.flatMap((state) => [
    ...(['update', 'delete'] as const).flatMap((action) =>
      [name, 'default'].map((slug) => tenantRefusal(action, { slug, state })),
    ),
  ]),
  quota: quotaResources.map((resource) =>
    quotaRefusal(
      [
        { resource, limit: 2, used: 2 },
        { resource: 'vms', limit: 1, used: 1 },
      ],
      { [resource]: 1, vms: 1 },
    ),
  ),
  enforcement: each.flatMap((hasFilters) =>
    nicKinds.flatMap((kind) =>
      [null, 'ovn-layer2' as const].map(
        (driver) =>
          otherEnforcementOf({ kind, driver }, { hasFilters, of: podEnforcementOf(rule, []) })
            .reason,
      ),
    ),
  ),
  publicNetwork: [0, 1, 12].flatMap((count) => {
    const without = Array.from({ length: count }, (_, at) => ({ ...host, name: `quay-${at}` }))
    const cutOff = without.map((each) => ({ ...each, waysOut: [uplink.uplink] }))
    return [
      ...each.map(
        (isDegraded) =>
          publicNetworkStateFrom(uplink, { isAvailable: false, isDegraded }, without).stateReason,
      ),
      publicNetworkStateFrom(uplink, null, cutOff).stateReason,
    ]
  }),
  ability: [...abilitiesWith([]), ...abilitiesWith(['a', 'b'])],
  key: keys.map(mistakeIn),
  import: importReasons.map((reason) => importWords[reason].sentence),
  addresses: takers.flatMap((taker) => [words[taker](name), `${words[taker](name)} (10.0.0.0/16)`]),
}
const sentences = Object.values(refusals)
  .flat()
  .flatMap((refused) => (typeof refused === 'object' ? (refused?.message ?? []) : (refused ?? [])))

test('the console has Portuguese for each sentence by which the server refuses an action', () => {
  expect([...new Set(sentences)].filter((sentence) => portugueseTold(sentence) === null)).toEqual(
    [],
  )
})

test('what a sentence names is named in Portuguese too', () => {
  const silent = sentences.filter(
    (sentence) => sentence.includes(name) && !portugueseTold(sentence)?.includes(name),
  )
  expect(silent).toEqual([])
})

const server = join(import.meta.dirname, '../../../server/src')

/** What a source says in one piece; a slot holds a number. */
function saidIn(file: string): string[] {
  const source = ts.createSourceFile(
    file,
    readFileSync(join(server, file), 'utf8'),
    ts.ScriptTarget.Latest,
  )
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    const sentence =
      ts.isNewExpression(node) || ts.isCallExpression(node) ? sentenceOf(node) : undefined
    if (sentence) found.push(...wholeOf(sentence))
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

const sentenceOf = ({
  expression,
  arguments: given,
}: ts.NewExpression | ts.CallExpression): ts.Expression | undefined =>
  ts.isIdentifier(expression) && ['Fault', 'invalid'].includes(expression.text)
    ? given?.[1]
    : undefined

/**
 * Nothing where a slot holds more than a name or a number: words of the server, which are asked for
 * above.
 */
function wholeOf(sentence: ts.Expression): string[] {
  if (ts.isStringLiteralLike(sentence)) return [sentence.text]
  if (!ts.isTemplateExpression(sentence)) return []
  const slots = sentence.templateSpans.map(({ expression }) => expression)
  const isPlain = slots.every(
    (slot) =>
      ts.isPropertyAccessExpression(slot) ||
      (ts.isIdentifier(slot) && !inWords.includes(slot.text)),
  )
  return isPlain
    ? [
        sentence.head.text +
          sentence.templateSpans.map(({ literal }) => `7${literal.text}`).join(''),
      ]
    : []
}
const inWords = ['why', 'message', 'noun', 'renew', 'act']

const files = globSync('{domain,usecases}/**/*.ts', { cwd: server }).filter(
  (file) => !file.endsWith('.test.ts'),
)
const said = [...new Set(files.flatMap(saidIn))]

test('the console has Portuguese for each refusal of what somebody asks, and of each field', () => {
  expect(said.length).toBeGreaterThan(100)
  // Where only programs are.
  const elsewhere = /cursor|Log in first: events/i
  expect(
    said.filter((sentence) => portugueseTold(sentence) === null && !elsewhere.test(sentence)),
  ).toEqual([])
})

test('the console keeps no Portuguese for sentences that the server has given up', () => {
  const sources = globSync('**/*.ts', { cwd: server })
    .map((file) => readFileSync(join(server, file), 'utf8'))
    .join('\n')
  const isSaid = (sentence: string) =>
    [...sentences, ...said].some((each) => sayingOf({ [sentence]: sentence })(each) !== null)
  // Where the server puts a sentence together, its longest part stands somewhere.
  const longest = (sentence: string) =>
    sentence
      .split(/\{\w+\}|[;:.,()]/)
      .reduce((longer, part) => (part.length > longer.length ? part : longer), '')
  const given = Object.keys(portugueseSentences).filter(
    (sentence) => !isSaid(sentence) && !sources.includes(longest(sentence).trim()),
  )
  expect(given).toEqual([])
})
