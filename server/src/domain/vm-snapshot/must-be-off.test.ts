import { expect, test } from 'vitest'
import { mustBeOff } from './must-be-off.ts'

test.each([
  { state: 'Running', vmiUid: 'a', isOn: true, because: 'it runs' },
  { state: 'Error', vmiUid: 'a', isOn: true, because: 'it may have a problem and run' },
  { state: 'Stopped', vmiUid: 'a', isOn: false, because: 'its guest has just shut itself down' },
  { state: 'Stopped', vmiUid: null, isOn: false, because: 'it has no VMI' },
] as const)('a restore refuses a VM in $state: $isOn, because $because', ({ isOn, ...vm }) => {
  const restore = () => mustBeOff({ name: 'db-1', ...vm })
  if (isOn) expect(restore).toThrow('VM db-1 is not stopped')
  else expect(restore).not.toThrow()
})
