import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { seenVm } from '../../../server/src/cluster/vm/seen-vm.ts'
import { type ApiObject, objectIn } from '../../../server/src/engine/kube/objects.ts'
import { type SeenVm } from '../../../server/src/domain/vm/seen.ts'
import { explain } from '../../../server/src/domain/vm/explain.ts'
import { type AskedVm, stateOf, type VmState } from '../../../server/src/domain/vm/state.ts'
import { clusterWords } from '../../support/cluster/cluster-terms.ts'
import { type Json } from '../../support/json.ts'

/*
 * Every VM that was recorded from a real cluster, at every moment, has a state that is true and an
 * explanation that leaks nothing.
 */
const recorded = fileURLToPath(new URL('../../../../shared/data/recorded/', import.meta.url))
const present = existsSync(recorded)
const about = present ? 'a true state' : 'skipped: what was recorded is not beside this checkout'

const askedFor = (seen: SeenVm): AskedVm => ({
  wantedPower: seen.runStrategy === 'Halted' ? 'off' : 'on',
  deleteRequested: false,
  clusterUid: seen.uid,
})

function judge(where: string, seen: SeenVm): VmState {
  const asked = askedFor(seen)
  const state = stateOf(asked, seen)
  const found = explain(asked, seen)
  const isNeedy = ['Error', 'Unknown', 'Lost'].includes(state)
  if (isNeedy) expect(found, where).not.toBeNull()
  if (state === 'Running')
    expect(seen.instance, where).toMatchObject({ phase: 'Running', isDeleting: false })
  // A real cluster of this version says no word that we do not know.
  expect(state, where).not.toBe('Unknown')
  const words = [found?.summary, found?.cause, found?.nextStep].map(String).join(' ')
  expect(words, where).not.toMatch(clusterWords)
  return state
}

interface Told {
  t_ms: number
  kind?: string
  type?: string
  name?: string
  fields?: Record<string, Json>
  cleared?: string[]
}

/** The parts of an object that a timeline tells, put together again. */
class Rebuilt {
  #fields: Record<string, Json> = {}

  take({ fields = {}, cleared = [] }: Told): void {
    this.#fields = { ...this.#fields, ...fields }
    for (const name of cleared) this.#fields[name] = undefined
  }

  object(name: string): ApiObject {
    const { deletionTimestamp, conditions = {}, labels } = this.#fields
    const found: Json = {
      metadata: { name, namespace: 'ns1', uid: `uid of ${name}`, resourceVersion: '1', labels },
      spec: {},
      status: {},
    }
    if (deletionTimestamp) found.metadata.deletionTimestamp = 'then'
    for (const [path, value] of Object.entries(this.#fields)) {
      const [root = '', ...rest] = path.split('.')
      if (value === undefined || !['spec', 'status'].includes(root)) continue
      const last = rest.pop() ?? ''
      const at = rest.reduce((here: Json, step) => (here[step] ??= {}), found[root])
      at[last] = value
    }
    found.status.conditions = Object.entries<string>(conditions).map(([type, told]) => {
      const [, status, reason, message] = /^(\w+)(?::([^|]*?))?(?: \| (.*))?$/s.exec(told) ?? []
      return { type, status, reason, message }
    })
    return objectIn(found) ?? expect.unreachable()
  }
}

const timelines = present
  ? readdirSync(`${recorded}timelines`).filter((file) => file.endsWith('.json'))
  : []

/** All VMs of one timeline, after each event of theirs. */
function* momentsOf(events: readonly Told[]): Generator<{ atMs: number; seen: SeenVm }> {
  const objects = new Map<string, Rebuilt>()
  for (const told of events.filter(({ kind = '' }) =>
    ['VirtualMachine', 'VirtualMachineInstance'].includes(kind),
  )) {
    const { kind, name = '', type } = told
    const key = `${kind} ${name}`
    const object = objects.get(key) ?? new Rebuilt()
    object.take(told)
    if (type === 'DELETED') objects.delete(key)
    else objects.set(key, object)
    const vm = objects.get(`VirtualMachine ${name}`)?.object(name)
    const instance = objects.get(`VirtualMachineInstance ${name}`)?.object(name) ?? null
    if (vm) yield { atMs: told.t_ms, seen: seenVm({ vm, instance, volumes: [], launchers: null }) }
  }
}

const eventsOf = (file: string): Told[] =>
  JSON.parse(readFileSync(`${recorded}timelines/${file}`, 'utf8')).events

test.skipIf(!present)(`${about}: at every moment of every timeline`, () => {
  const states = timelines.flatMap((file) =>
    [...momentsOf(eventsOf(file))].map(({ atMs, seen }) => judge(`${file} at ${atMs}`, seen)),
  )
  expect(states.length).toBeGreaterThan(300)
  const common: VmState[] = [
    'Provisioning',
    'Starting',
    'Running',
    'Paused',
    'Migrating',
    'Restarting',
    'Stopping',
    'Stopped',
    'Deleting',
    'Error',
  ]
  expect(states).toEqual(expect.arrayContaining(common))
})

function* objectsIn(value: Json): Generator<Json> {
  if (typeof value !== 'object' || value === null) return
  if (['VirtualMachine', 'VirtualMachineInstance'].includes(value.kind) && value.metadata?.uid)
    yield value
  for (const inner of Object.values(value)) yield* objectsIn(inner)
}

test.skipIf(!present)(`${about}: in every answer`, () => {
  const lines = readFileSync(`${recorded}answers.jsonl`, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
  let count = 0
  for (const { id, response } of lines.map((line): Json => JSON.parse(line))) {
    const found = [...objectsIn(response)].flatMap((each) => objectIn(each) ?? [])
    const instances = found.filter((each: Json) => each.kind === 'VirtualMachineInstance')
    for (const vm of found.filter((each: Json) => each.kind === 'VirtualMachine')) {
      count += 1
      judge(id, seenVm({ vm, instance: null, volumes: [], launchers: null }))
      for (const instance of instances)
        judge(id, seenVm({ vm, instance, volumes: [], launchers: null }))
    }
    // An instance that nobody holds is judged under a VM that says as little as possible.
    for (const instance of instances) {
      count += 1
      const vm: ApiObject = {
        metadata: instance.metadata,
        spec: { runStrategy: 'RerunOnFailure' },
        status: { printableStatus: 'Starting' },
      }
      judge(id, seenVm({ vm, instance, volumes: [], launchers: null }))
    }
  }
  expect(count).toBeGreaterThan(30)
})

test.skipIf(!present)(`${about}: in every complaint about a data volume`, () => {
  const complaints = timelines.flatMap((file) =>
    eventsOf(file).flatMap(({ kind, fields }) =>
      kind === 'DataVolume' ? Object.entries<string>(fields?.conditions ?? {}) : [],
    ),
  )
  for (const [type, told] of complaints) {
    const [, status, reason, message] = /^(\w+)(?::([^|]*?))?(?: \| (.*))?$/s.exec(told) ?? []
    const metadata = { name: 'v', namespace: 'ns1', uid: 'u', resourceVersion: '1' }
    const volumes: ApiObject[] = [
      { metadata, status: { phase: 'Pending', conditions: [{ type, status, reason, message }] } },
    ]
    const spec = {
      runStrategy: 'RerunOnFailure',
      template: { spec: { volumes: [{ name: 'root', dataVolume: { name: 'v' } }] } },
    }
    const vm: ApiObject = { metadata, spec, status: { printableStatus: 'Provisioning' } }
    judge(told, seenVm({ vm, instance: null, volumes, launchers: null }))
  }
  expect(complaints.length).toBeGreaterThan(50)
})
