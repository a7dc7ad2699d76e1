import { expect, test } from 'vitest'
import { obstaclesTo } from './obstacles.ts'
import { type FoundDisk, type FoundVm } from './unmanaged-vm.ts'

const id = '7c1d2f7e-4b7a-4d55-9a35-0f8f5f0f7c11'
const main: FoundDisk = {
  name: 'main',
  kind: 'volume',
  isCdrom: false,
  source: 'web-disk',
  sizeGi: 10,
  storageClass: 'fast',
  claimRowId: null,
  isDataVolume: true,
}
const foreign: FoundVm = {
  power: 'off',
  status: 'Stopped',
  hasVmi: false,
  cpu: 2,
  memoryMi: 2048,
  dedicatedCpu: false,
  hostname: null,
  isWindows: false,
  firmware: { uuid: null, boot: 'bios', tpm: null },
  disks: [main],
  nics: [{ name: 'default', network: null, mac: null }],
  settings: [],
  hasRunningField: false,
}
const own: FoundVm = {
  ...foreign,
  power: 'on',
  hasVmi: true,
  firmware: { uuid: id, boot: 'bios', tpm: null },
  disks: [
    { ...main, name: 'root', source: `vm-${id}-root`, claimRowId: id },
    { ...main, name: 'cloudinit', kind: 'cloud_init', source: null },
  ],
  nics: [{ name: 'nic0', network: null, mac: '02:00:00:00:00:01' }],
}

const obstaclesOf = (
  found: FoundVm,
  more: { name?: string; madeAs?: string | null; sharedClaims?: string[] } = {},
): string[] =>
  obstaclesTo({ name: 'web', madeAs: null, sharedClaims: [], ...more, found }).map(({ key }) =>
    key.replace('unmanaged_vm.', ''),
  )

test.each([
  { because: 'a stopped VM with one volume has the form that Berth can give it', vm: {}, are: [] },
  {
    because: 'cloud-init data is replaced by that of Berth',
    vm: { disks: [main, { ...main, name: 'seed', kind: 'cloud_init', source: null }] },
    are: [],
  },
  { because: 'a guest would lose its disks', vm: { power: 'on' }, are: ['on'] },
  { because: 'a VMI may outlive its power state', vm: { hasVmi: true }, are: ['on'] },
  { because: 'the memory is unknown', vm: { memoryMi: null }, are: ['memory'] },
  {
    because: 'an instance type also hides the memory',
    vm: { cpu: null, memoryMi: null, settings: ['spec.instancetype'] },
    are: ['settings'],
  },
  {
    because: 'a second volume would get lost',
    vm: { disks: [main, { ...main, name: 'data', source: 'web-data' }] },
    are: ['further_disk'],
  },
  {
    because: 'a volume without storage has no size',
    vm: { disks: [{ ...main, sizeGi: null }] },
    are: ['no_storage'],
  },
  {
    because: 'a container disk is no volume, and its changes get lost',
    vm: { disks: [{ ...main, kind: 'image', source: 'fedora:42' }] },
    are: ['no_root'],
  },
  {
    because: 'the volume belongs to a VM of Berth',
    vm: { disks: [{ ...main, claimRowId: id }] },
    are: ['shared'],
  },
  {
    because: 'Berth does not know the network',
    vm: { nics: [{ name: 'lan', network: 'infra/lan', mac: null }] },
    are: ['network'],
  },
  {
    because: 'Berth deletes a DataVolume with its VM, and no other claim',
    vm: { disks: [{ ...main, isDataVolume: false }] },
    are: ['no_data_volume'],
  },
  { because: 'it excludes a run strategy', vm: { hasRunningField: true }, are: ['running'] },
  { because: 'a VM of Berth has a NIC', vm: { nics: [] }, are: ['no_nic'] },
  {
    because: 'a system that boots with EFI does not boot with BIOS',
    vm: { firmware: { uuid: null, boot: 'efi', tpm: null } },
    are: ['efi'],
  },
  {
    because: 'all obstacles are named at once',
    vm: { power: 'on', nics: [], settings: ['spec.preference'] },
    are: ['settings', 'on', 'no_nic'],
  },
] satisfies { because: string; vm: Partial<FoundVm>; are: string[] }[])(
  'a VM of another client cannot be adopted in each case: $because',
  ({ vm, are }) => expect(obstaclesOf({ ...foreign, ...vm })).toEqual(are),
)

test('a name that Berth does not accept and a volume of two VMs are obstacles', () => {
  expect(obstaclesOf(foreign, { name: 'web.prod' })).toEqual(['name'])
  expect(obstaclesOf(foreign, { sharedClaims: ['web-disk'] })).toEqual(['shared'])
})

test('a VM in the form of Berth can be adopted while it runs', () => {
  expect(obstaclesOf(own, { madeAs: id })).toEqual([])
  expect(obstaclesOf(own)).toContain('on')
  expect(
    obstaclesOf({ ...own, firmware: { ...own.firmware, uuid: null } }, { madeAs: id }),
  ).toContain('on')
})
