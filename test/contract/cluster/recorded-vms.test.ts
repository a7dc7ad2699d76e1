import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { observedVm } from '../../../server/src/cluster/vm/observed-vm.ts'
import { type ApiObject, objectIn } from '../../../server/src/engine/kube/objects.ts'
import { type ObservedVm } from '../../../server/src/domain/vm/observed.ts'
import { explain } from '../../../server/src/domain/vm/explain.ts'
import { type DesiredVm, stateOf, type VmState } from '../../../server/src/domain/vm/state.ts'
import { clusterWords } from '../../support/cluster/cluster-terms.ts'
import { type Json } from '../../support/json.ts'

/*
 * Every VM that was recorded from a real cluster has a true state and a safe explanation at every
 * moment.
 */
const recorded = fileURLToPath(new URL('../../../../shared/data/recorded/', import.meta.url))
const present = existsSync(recorded)
const skipped = present ? '' : ' (skipped: the recordings are not beside this checkout)'

const desiredFor = (observed: ObservedVm): DesiredVm => ({
  wantedPower: observed.runStrategy === 'Halted' ? 'off' : 'on',
  deleteRequested: false,
  clusterUid: observed.uid,
  dedicatedCpu: false,
  failure: null,
})

function judge(where: string, observed: ObservedVm): VmState {
  const desired = desiredFor(observed)
  const state = stateOf(desired, observed)
  const explanation = explain(desired, observed)
  const needsExplanation = ['Error', 'Unknown', 'Lost'].includes(state)
  if (needsExplanation) expect(explanation, where).not.toBeNull()
  if (state === 'Running')
    expect(observed.vmi, where).toMatchObject({ phase: 'Running', isDeleting: false })
  // Berth knows every status of a real cluster of this version.
  expect(state, where).not.toBe('Unknown')
  const text = [explanation?.summary, explanation?.cause, explanation?.nextStep]
    .map(String)
    .join(' ')
  expect(text, where).not.toMatch(clusterWords)
  return state
}

interface RecordedEvent {
  t_ms: number
  kind?: string
  type?: string
  name?: string
  fields?: Record<string, Json>
  cleared?: string[]
}

/** Rebuilds an object from the fields that a timeline records as they change. */
class Rebuilt {
  #fields: Record<string, Json> = {}

  take({ fields = {}, cleared = [] }: RecordedEvent): void {
    this.#fields = { ...this.#fields, ...fields }
    for (const name of cleared) this.#fields[name] = undefined
  }

  object(name: string): ApiObject {
    const { deletionTimestamp, conditions = {}, labels } = this.#fields
    const object: Json = {
      metadata: { name, namespace: 'ns1', uid: `uid of ${name}`, resourceVersion: '1', labels },
      spec: {},
      status: {},
    }
    if (deletionTimestamp) object.metadata.deletionTimestamp = 'then'
    for (const [path, value] of Object.entries(this.#fields)) {
      const [root = '', ...rest] = path.split('.')
      if (value === undefined || !['spec', 'status'].includes(root)) continue
      const last = rest.pop() ?? ''
      const at = rest.reduce((here: Json, step) => (here[step] ??= {}), object[root])
      at[last] = value
    }
    object.status.conditions = Object.entries<string>(conditions).map(([type, text]) => {
      const [, status, reason, message] = /^(\w+)(?::([^|]*?))?(?: \| (.*))?$/s.exec(text) ?? []
      return { type, status, reason, message }
    })
    return objectIn(object) ?? expect.unreachable()
  }
}

const timelines = present
  ? readdirSync(`${recorded}timelines`).filter((file) => file.endsWith('.json'))
  : []

/** Yields every VM of one timeline after each of its events. */
function* momentsOf(
  events: readonly RecordedEvent[],
): Generator<{ atMs: number; observed: ObservedVm }> {
  const objects = new Map<string, Rebuilt>()
  for (const event of events.filter(({ kind = '' }) =>
    ['VirtualMachine', 'VirtualMachineInstance'].includes(kind),
  )) {
    const { kind, name = '', type } = event
    const key = `${kind} ${name}`
    const object = objects.get(key) ?? new Rebuilt()
    object.take(event)
    if (type === 'DELETED') objects.delete(key)
    else objects.set(key, object)
    const vm = objects.get(`VirtualMachine ${name}`)?.object(name)
    const instance = objects.get(`VirtualMachineInstance ${name}`)?.object(name) ?? null
    if (vm)
      yield {
        atMs: event.t_ms,
        observed: observedVm({ vm, instance, volumes: [], launchers: null }),
      }
  }
}

const eventsOf = (file: string): RecordedEvent[] =>
  JSON.parse(readFileSync(`${recorded}timelines/${file}`, 'utf8')).events

test.skipIf(!present)(
  `a recorded VM has a true state at every moment of every timeline${skipped}`,
  () => {
    const states = timelines.flatMap((file) =>
      [...momentsOf(eventsOf(file))].map(({ atMs, observed }) =>
        judge(`${file} at ${atMs}`, observed),
      ),
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
  },
)

function* objectsIn(value: Json): Generator<Json> {
  if (typeof value !== 'object' || value === null) return
  if (['VirtualMachine', 'VirtualMachineInstance'].includes(value.kind) && value.metadata?.uid)
    yield value
  for (const inner of Object.values(value)) yield* objectsIn(inner)
}

test.skipIf(!present)(`a recorded VM has a true state in every answer${skipped}`, () => {
  const lines = readFileSync(`${recorded}answers.jsonl`, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
  let count = 0
  for (const { id, response } of lines.map((line): Json => JSON.parse(line))) {
    const found = [...objectsIn(response)].flatMap((each) => objectIn(each) ?? [])
    const instances = found.filter((each: Json) => each.kind === 'VirtualMachineInstance')
    for (const vm of found.filter((each: Json) => each.kind === 'VirtualMachine')) {
      count += 1
      judge(id, observedVm({ vm, instance: null, volumes: [], launchers: null }))
      for (const instance of instances)
        judge(id, observedVm({ vm, instance, volumes: [], launchers: null }))
    }
    // An instance without a VM is judged under a VM with as few fields as possible.
    for (const instance of instances) {
      count += 1
      const vm: ApiObject = {
        metadata: instance.metadata,
        spec: { runStrategy: 'RerunOnFailure' },
        status: { printableStatus: 'Starting' },
      }
      judge(id, observedVm({ vm, instance, volumes: [], launchers: null }))
    }
  }
  expect(count).toBeGreaterThan(30)
})

test.skipIf(!present)(
  `a recorded VM has a true state for every data volume condition${skipped}`,
  () => {
    const complaints = timelines.flatMap((file) =>
      eventsOf(file).flatMap(({ kind, fields }) =>
        kind === 'DataVolume' ? Object.entries<string>(fields?.conditions ?? {}) : [],
      ),
    )
    for (const [type, text] of complaints) {
      const [, status, reason, message] = /^(\w+)(?::([^|]*?))?(?: \| (.*))?$/s.exec(text) ?? []
      const metadata = { name: 'v', namespace: 'ns1', uid: 'u', resourceVersion: '1' }
      const volumes: ApiObject[] = [
        { metadata, status: { phase: 'Pending', conditions: [{ type, status, reason, message }] } },
      ]
      const spec = {
        runStrategy: 'RerunOnFailure',
        template: { spec: { volumes: [{ name: 'root', dataVolume: { name: 'v' } }] } },
      }
      const vm: ApiObject = { metadata, spec, status: { printableStatus: 'Provisioning' } }
      judge(text, observedVm({ vm, instance: null, volumes, launchers: null }))
    }
    expect(complaints.length).toBeGreaterThan(50)
  },
)
