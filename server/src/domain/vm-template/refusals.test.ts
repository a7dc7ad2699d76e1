import { expect, test } from 'vitest'
import { mustUseAllowedRegistry } from './refusals.ts'

const vm = {
  image: 'quay.io/kubevirt/cirros:1',
  sourceType: 'container' as const,
  rootDisk: 'persistent' as const,
}

test.each([
  { because: 'its root disk is filled from the image', part: {}, isRefused: true },
  { because: 'each start pulls the image', part: { rootDisk: 'ephemeral' }, isRefused: true },
  { because: 'its root disk is a copy', part: { copyObject: 'copy' }, isRefused: false },
  { because: 'an ISO installs it', part: { sourceType: 'iso' }, isRefused: false },
  { because: 'the registry is allowed', part: { image: 'docker.io/a/b' }, isRefused: false },
] as const)('a VM from a registry is refused: $isRefused, because $because', (row) => {
  const deploy = (): void =>
    mustUseAllowedRegistry({ ...vm, ...row.part }, { allowedRegistries: ['docker.io'] })
  if (row.isRefused) expect(deploy).toThrow(/ask the operator to allow the registry/)
  else expect(deploy).not.toThrow()
})
