import { expect, test } from 'vitest'
import { type Permission } from '../../engine/model/permission.ts'
import { anonymous } from '../../engine/model/viewer.ts'
import { actionsOf, hasReached, mustAllow, refusalOf, vmActions } from './lifecycle.ts'
import { type VmState, vmStates } from './state.ts'

const vm = (state: VmState, isProtected = false) => ({
  name: 'db-1',
  state,
  isProtected,
  hasIso: true,
  drift: [{ part: 'memory', desired: '1024', found: '2048' }] as const,
})

const viewerWith = (...permissions: Permission[]) => ({
  ...anonymous,
  permissions: new Set(permissions),
})
const operator = viewerWith('vms:write', 'vms:console')

test('each action is allowed in one state and refused in another', () => {
  for (const action of vmActions) {
    const results = vmStates.map((state) => refusalOf(action, vm(state)))
    expect(results, action).toContain(null)
    expect(results.some((refusal) => refusal !== null)).toBe(true)
  }
})

test('each refusal names the VM, the refused action and the remedy', () => {
  const refusals = vmStates.flatMap((state) =>
    actionsOf(vm(state), operator).flatMap(({ refusal }) => refusal ?? []),
  )
  for (const refusal of refusals)
    expect(String(refusal)).toMatch(/^VM db-1 [a-z ]+, so [a-zISO ]+; [a-z ,]+\.$/)
  expect(refusals.length).toBeGreaterThan(60)
})

test('all actions are listed, and an action is allowed when it has no refusal', () => {
  for (const state of vmStates) {
    const actions = actionsOf(vm(state), operator)
    expect(actions.map(({ action }) => action)).toEqual(vmActions)
    for (const { allowed, refusal } of actions) expect(allowed).toBe(refusal === null)
  }
})

test('an action is refused to a viewer without its permission in every state', () => {
  const refused = (...held: Permission[]) =>
    actionsOf(vm('Running'), viewerWith('vms:read', ...held)).filter(({ refusal }) =>
      String(refusal).includes('needs the permission'),
    )
  expect(refused().map(({ action }) => action)).toEqual(vmActions)
  expect(refused().every(({ allowed }) => !allowed)).toBe(true)
  expect(refused('vms:write').map(({ action }) => action)).toEqual(['openConsole'])
  expect(refused('vms:write', 'vms:console')).toEqual([])
})

test.each<{ action: (typeof vmActions)[number]; state: VmState; message: string }>([
  {
    action: 'start',
    state: 'Running',
    message: 'VM db-1 is running, so it cannot be started; there is nothing to do.',
  },
  {
    action: 'retry',
    state: 'Running',
    message: 'VM db-1 is running, so its deploy cannot be retried; there is nothing to do.',
  },
  {
    action: 'start',
    state: 'Paused',
    message: 'VM db-1 is paused, so it cannot be started; resume it instead.',
  },
  {
    action: 'restart',
    state: 'Stopped',
    message: 'VM db-1 is stopped, so it cannot be restarted; start it instead.',
  },
  {
    action: 'pause',
    state: 'Stopped',
    message: 'VM db-1 is stopped, so it cannot be paused; start it first.',
  },
  {
    action: 'resize',
    state: 'Paused',
    message: 'VM db-1 is paused, so it cannot be resized; resume it first.',
  },
  {
    action: 'stop',
    state: 'Lost',
    message:
      'VM db-1 was removed outside of this platform, so it cannot be stopped; delete it and deploy it again.',
  },
  {
    action: 'delete',
    state: 'Deleting',
    message: 'VM db-1 is being deleted, so it cannot be deleted; wait until it is gone.',
  },
  {
    action: 'restart',
    state: 'Stopping',
    message: 'VM db-1 is shutting down, so it cannot be restarted; start it once it has stopped.',
  },
  {
    action: 'restart',
    state: 'Error',
    message: 'VM db-1 has a problem, so it cannot be restarted; start it instead.',
  },
  {
    action: 'retry',
    state: 'Error',
    message: 'VM db-1 has a problem, so its deploy cannot be retried; start it instead.',
  },
])(
  'the refusal of action $action names the state $state, the action and the remedy',
  ({ action, state, message }) => {
    expect(refusalOf(action, vm(state))?.toString()).toBe(message)
  },
)

test('a drift is reverted or accepted only where there is one, and accepted only as a whole', () => {
  const disks = { part: 'disks', desired: null, found: null } as const
  const { drift, ...same } = vm('Running')
  expect(String(refusalOf('revertDrift', same))).toContain('nothing to revert')
  const different = { ...same, drift: [...drift, disks] }
  expect(refusalOf('revertDrift', different)).toBeNull()
  expect(String(refusalOf('acceptDrift', different))).toContain('VM db-1: other disks')
})

const poweredByAnotherClient = (state: 'Starting' | 'Stopping') => {
  const [desired, found] = state === 'Starting' ? ['on', 'off'] : ['off', 'on']
  return { ...vm(state), drift: [{ part: 'power', desired, found }] as const }
}

test.each([
  {
    state: 'Starting',
    action: 'start',
    message:
      'VM db-1 was switched off by another client, so it cannot be started; first revert or accept that change.',
  },
  {
    state: 'Stopping',
    action: 'start',
    message:
      'VM db-1 was switched on by another client, so it cannot be started; first revert or accept that change.',
  },
] as const)(
  'a VM that is $state because of another client has not reached its goal, and waiting does not help',
  ({ state, action, message }) => {
    const subject = poweredByAnotherClient(state)
    const refused = expect.objectContaining({ isTransient: false, message })
    expect(() => mustAllow(action, subject)).toThrow(refused)
    expect(refusalOf('revertDrift', subject)).toBeNull()
    expect(refusalOf('acceptDrift', subject)).toBeNull()
    for (const each of vmActions) expect(hasReached(each, subject)).toBe(false)
  },
)

test('a VM that another client has switched on can be stopped, and one that is shutting down cannot', () => {
  expect(refusalOf('stop', poweredByAnotherClient('Stopping'))).toBeNull()
  expect(refusalOf('stop', vm('Stopping'))).not.toBeNull()
  expect(hasReached('stop', vm('Stopping'))).toBe(true)
})

test('a refusal never names the refused action as its own remedy', () => {
  for (const state of vmStates) {
    expect(String(refusalOf('stop', vm(state)))).not.toMatch(/stop it first|stop it by force/)
    expect(String(refusalOf('start', vm(state)))).not.toContain('start it first')
  }
})

test('a protected VM cannot be deleted and allows all other actions', () => {
  expect(() => mustAllow('delete', vm('Running', true))).toThrow('switch the protection off first')
  for (const { action, refusal } of actionsOf(vm('Running', true), operator)) {
    if (action !== 'delete') expect(refusal).toEqual(refusalOf(action, vm('Running')))
  }
})

test.each([
  { because: 'its deploy is open', isDeploying: true, isTransient: true },
  { because: 'its deploy has ended', isDeploying: false, isTransient: false },
])(
  'the refusal in Error is transient: $isTransient, because $because',
  ({ isDeploying, isTransient }) => {
    const attach = () => mustAllow('attachVolume', { ...vm('Error'), isDeploying })
    expect(attach).toThrow(expect.objectContaining({ isTransient }))
  },
)
