import { expect, test } from 'vitest'
import { isIsoVolume, isoClaimName, isoVolumeName } from './iso-volume.ts'

test('the ISO volume of a template is named after its id, and that of a platform template after its name', () => {
  const id = '0b0c3a52-6f0c-4f0a-9f0e-5a4a8f7c2d11'
  expect(isoClaimName({ id, name: 'win', tenantId: 't' })).toBe(isoVolumeName(id))
  expect(isoClaimName({ id, name: 'windows-server-2022', tenantId: null })).toBe(
    'windows-server-2022-iso',
  )
  expect([isoVolumeName(id), 'windows-server-2022-iso', `vol-${id}`].map(isIsoVolume)).toEqual([
    true,
    false,
    false,
  ])
})
