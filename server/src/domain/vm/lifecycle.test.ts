import { expect, test } from 'vitest'
import { actionsOf, mustAllow, refusalOf, vmActions } from './lifecycle.ts'
import { type VmState, vmStates } from './state.ts'

const vm = (state: VmState, isProtected = false) => ({
  name: 'db-1',
  state,
  isProtected,
  hasIso: true,
})

test('each action is allowed in some state and refused in another', () => {
  for (const action of vmActions) {
    const answers = vmStates.map((state) => refusalOf(action, vm(state)))
    expect(answers, action).toContain(null)
    expect(answers.some((refusal) => refusal !== null)).toBe(true)
  }
})

test('each refusal is a sentence that names the VM, and says what to do', () => {
  const refusals = vmStates.flatMap((state) =>
    actionsOf(vm(state)).flatMap(({ refusal }) => refusal ?? []),
  )
  for (const refusal of refusals) expect(String(refusal)).toMatch(/^VM db-1 [a-z ]+; [a-z ,]+\.$/)
  expect(refusals.length).toBeGreaterThan(60)
})

test('allowed is what has no refusal, and every action is told', () => {
  for (const state of vmStates) {
    const actions = actionsOf(vm(state))
    expect(actions.map(({ action }) => action)).toEqual(vmActions)
    for (const { allowed, refusal } of actions) expect(allowed).toBe(refusal === null)
  }
})

test.each<{ action: (typeof vmActions)[number]; state: VmState; says: string }>([
  { action: 'start', state: 'Running', says: 'VM db-1 is running; there is nothing to do.' },
  { action: 'start', state: 'Paused', says: 'VM db-1 is paused; resume it instead.' },
  { action: 'restart', state: 'Stopped', says: 'VM db-1 is stopped; start it instead.' },
  { action: 'pause', state: 'Stopped', says: 'VM db-1 is stopped; start it first.' },
  { action: 'resize', state: 'Paused', says: 'VM db-1 is paused; resume it first.' },
  {
    action: 'stop',
    state: 'Lost',
    says: 'VM db-1 was removed outside of this platform; delete it and deploy it again.',
  },
  {
    action: 'delete',
    state: 'Deleting',
    says: 'VM db-1 is being deleted; nothing can be done with it any more.',
  },
])('$action of a VM that is $state is refused in words', ({ action, state, says }) => {
  expect(refusalOf(action, vm(state))?.toString()).toBe(says)
})

test('a refusal to a user never tells to stop a VM in order to stop it, nor to start one in order to start it', () => {
  for (const state of vmStates) {
    expect(String(refusalOf('stop', vm(state)))).not.toMatch(/stop it first|stop it by force/)
    expect(String(refusalOf('start', vm(state)))).not.toContain('start it first')
  }
})

test('a protected VM is not deleted, and everything else can be done with it', () => {
  expect(() => mustAllow('delete', vm('Running', true))).toThrow('switch the protection off first')
  for (const { action, refusal } of actionsOf(vm('Running', true))) {
    if (action !== 'delete') expect(refusal).toEqual(refusalOf(action, vm('Running')))
  }
})
