import { networkDrivers, traitsOf } from '../../../server/src/domain/network/driver.ts'
import { type ObjectNoun } from '../../../server/src/cluster/reader.ts'
import { type DesiredByNoun } from '../../../server/src/cluster/desired/desired.ts'
import { type DesiredDisk, type DesiredVm } from '../../../server/src/cluster/desired/vm.ts'
import { Secret } from '../../../server/src/runtime/config/secret.ts'
import { fc } from '../property-testing.ts'

/* Generators of all desired objects that their types and the domain allow. */
export const name = fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,20}[a-z0-9])?$/)
const maybeName = fc.option(name)
const sizeGi = fc.integer({ min: 1, max: 65_536 })
const hex = fc.integer({ min: 0, max: 255 }).map((byte) => byte.toString(16).padStart(2, '0'))
const mac = fc.array(hex, { minLength: 5, maxLength: 5 }).map((bytes) => ['02', ...bytes].join(':'))
const cidr = fc.ipV4().map((address) => `${address}/24`)
const mtu = fc.integer({ min: 576, max: 9216 })
const serial = fc.stringMatching(/^[A-Za-z0-9_.+-]{1,20}$/)
/** Omits an optional property instead of setting it to undefined, as exact types require. */
const optionally = <T>(values: fc.Arbitrary<T>, key: string) =>
  fc
    .option(values, { nil: undefined })
    .map((value) => (value === undefined ? {} : { [key]: value }))

const hardDisk = fc.record({
  kind: fc.constant('disk' as const),
  name,
  volume: name,
  bus: fc.constantFrom('virtio' as const, 'scsi' as const, 'sata' as const),
  serial,
  hotpluggable: fc.boolean(),
})
const image = fc.stringMatching(/^[a-z]{1,8}\.example\/[a-z]{1,12}(:[a-z0-9.]{1,8})?$/)
const pullPolicy = fc.option(fc.constantFrom('Always' as const, 'IfNotPresent' as const))
const containerDisk = fc.record({
  kind: fc.constant('containerDisk' as const),
  name,
  image,
  pullPolicy,
  bus: fc.constantFrom('virtio' as const, 'scsi' as const, 'sata' as const),
})
const medium = fc.oneof(
  fc.record({ kind: fc.constant('volume' as const), volume: name, hotpluggable: fc.boolean() }),
  fc.record({ kind: fc.constant('image' as const), image, pullPolicy }),
)
const cdrom = fc.record({ kind: fc.constant('cdrom' as const), name, medium: fc.option(medium) })
const disks: fc.Arbitrary<DesiredDisk[]> = fc
  .uniqueArray(fc.oneof(hardDisk, containerDisk, cdrom), {
    maxLength: 6,
    selector: (disk) => disk.name,
  })
  .map((all) => all.filter((disk) => disk.name !== 'cloudinit'))
  .chain((all) =>
    fc
      .boolean()
      .map((ordered) =>
        ordered ? all.map((disk, index) => ({ ...disk, bootOrder: index + 1 })) : all,
      ),
  )

const nics = fc
  .uniqueArray(
    fc
      .tuple(
        fc.record({
          name,
          network: fc.option(fc.record({ namespace: name, name })),
          mac,
          model: fc.constantFrom('virtio' as const, 'e1000e' as const),
        }),
        optionally(fc.ipV4(), 'pinned'),
      )
      .map(([nic, pinned]) => ({ ...nic, ...pinned })),
    {
      maxLength: 4,
      selector: (nic) => nic.name,
    },
  )
  .map((all) =>
    all.filter(
      (nic, index) =>
        nic.network !== null || all.findIndex(({ network }) => network === null) === index,
    ),
  )

const vmAlways = fc.record({
  power: fc.constantFrom('on' as const, 'off' as const),
  hostname: name,
  guest: fc.constantFrom('linux' as const, 'windows' as const),
  vcpus: fc.integer({ min: 1, max: 64 }),
  dedicatedCpu: fc.boolean(),
  memoryMi: fc.integer({ min: 128, max: 1_048_576 }),
  graceSeconds: fc.integer({ min: 0, max: 3600 }),
  disks,
  nics,
  cloudInitSecret: maybeName,
})
const firmware = fc
  .tuple(
    fc.uuid(),
    fc.constantFrom('bios' as const, 'efi' as const, 'efiSecure' as const),
    optionally(fc.constantFrom('persistent' as const, 'volatile' as const), 'tpm'),
  )
  .map(([uuid, boot, tpm]) => ({ uuid, boot, ...tpm }))
const vm: fc.Arbitrary<DesiredVm> = fc
  .tuple(
    vmAlways,
    firmware,
    optionally(fc.integer({ min: 64, max: 256 }), 'maxVcpus'),
    optionally(fc.integer({ min: 1_048_576, max: 4_194_304 }), 'maxMemoryMi'),
  )
  .map(([always, chosen, cpus, memory]) => ({ ...always, firmware: chosen, ...cpus, ...memory }))

/** A small desired VM that runs and needs no other object. */
export const aDesiredVm = (different: Partial<DesiredVm> = {}): DesiredVm => ({
  power: 'on',
  hostname: 'guest',
  guest: 'linux',
  vcpus: 1,
  dedicatedCpu: false,
  memoryMi: 1024,
  firmware: { uuid: '0b6f1c1e-7f0f-4d6c-9a51-0d2a3c4b5e6f', boot: 'bios' },
  graceSeconds: 30,
  disks: [
    {
      kind: 'containerDisk',
      name: 'root',
      image: 'registry.example/fedora:42',
      pullPolicy: null,
      bus: 'virtio',
    },
  ],
  nics: [{ name: 'net0', network: null, mac: '02:00:00:00:00:01', model: 'virtio' }],
  cloudInitSecret: null,
  ...different,
})

const trafficRule = fc.record({
  peer: fc.oneof(
    fc.constant({ kind: 'anyone' as const }),
    fc.constant({ kind: 'sameNamespace' as const }),
    fc.record({ kind: fc.constant('namespace' as const), name }),
    fc.record({
      kind: fc.constant('range' as const),
      cidr,
      except: fc.array(cidr, { maxLength: 2 }),
    }),
    fc.record({
      kind: fc.constant('addresses' as const),
      addresses: fc.array(fc.ipV4(), { minLength: 1, maxLength: 3 }),
    }),
    fc.record({
      kind: fc.constant('vms' as const),
      rowIds: fc.array(fc.uuid(), { minLength: 1, maxLength: 3 }),
    }),
  ),
  ports: fc.array(
    fc.record({
      protocol: fc.constantFrom('TCP' as const, 'UDP' as const),
      from: fc.integer({ min: 1, max: 32_767 }),
      to: fc.integer({ min: 32_767, max: 65_535 }),
    }),
    { maxLength: 3 },
  ),
})
const networkPolicy = fc.record({
  pods: fc.oneof(
    fc.record({ kind: fc.constant('vm' as const), rowId: fc.uuid() }),
    fc.constant({ kind: 'allButFillers' as const }),
    fc.constant({ kind: 'importers' as const }),
  ),
  ingress: fc.array(trafficRule, { maxLength: 3 }),
  egress: fc.option(fc.array(trafficRule, { maxLength: 3 })),
})
const copyOf = fc.record({
  kind: fc.constantFrom('volume' as const, 'volumeSnapshot' as const),
  namespace: name,
  name,
})

const admission = fc.oneof(
  fc.record({ refuses: fc.constant('foreignAttachments' as const), sharedTenantId: fc.uuid() }),
  fc.constant({ refuses: 'unknownAttachments' as const }),
)

const subnet = fc.record({
  router: name,
  cidr,
  gateway: fc.ipV4(),
  attachment: fc.record({ namespace: name, name }),
  mtu,
})

const tag = fc.record({ bridge: name, segment: fc.integer({ min: 1, max: 4094 }) })
const privateNetwork = fc.constantFrom(...networkDrivers).chain((driver) =>
  fc.record({
    driver: fc.constant(driver),
    mtu,
    tagged: traitsOf(driver).isTagged ? tag : fc.constant(null),
  }),
)
/** The public network is a whole bridge, without tags. */
const publicNetwork = fc.record({
  driver: fc.constant('bridge-vlan' as const),
  mtu,
  tagged: fc.record({ bridge: name, segment: fc.constant(null) }),
})

export const desiredObjects: { readonly [N in ObjectNoun]: fc.Arbitrary<DesiredByNoun[N]> } = {
  vm,
  dataVolume: fc.record({
    source: fc.oneof(
      fc
        .tuple(fc.webUrl(), optionally(fc.stringMatching(/^sha256:[0-9a-f]{64}$/), 'checksum'))
        .map(([url, checksum]) => ({ kind: 'http' as const, url, ...checksum })),
      fc.record({ kind: fc.constant('registry' as const), image }),
      fc.constant({ kind: 'blank' as const }),
      copyOf,
    ),
    sizeGi: fc.option(sizeGi),
    storageClass: maybeName,
    immediate: fc.boolean(),
  }),
  volume: fc.record({
    sizeGi,
    storageClass: maybeName,
    mode: fc.constantFrom('Block' as const, 'Filesystem' as const),
    access: fc.constantFrom('ReadWriteMany' as const, 'ReadWriteOnce' as const),
    snapshot: maybeName,
  }),
  volumeSnapshot: fc.record({ volume: name, snapshotClass: maybeName }),
  vmSnapshot: fc.record({ vm: name, deadlineSeconds: fc.integer({ min: 1, max: 86_400 }) }),
  vmRestore: fc.record({
    snapshot: name,
    target: name,
    volumes: fc.dictionary(name, name, { maxKeys: 4 }),
  }),
  vmClone: fc.record({
    source: fc.record({ kind: fc.constantFrom('vm' as const, 'vmSnapshot' as const), name }),
    target: name,
    macs: fc.dictionary(name, mac, { maxKeys: 4 }),
    serial,
  }),
  admissionPolicy: admission,
  admissionBinding: admission,
  router: fc.constant({ hasExternalRoute: false as const }),
  subnet,
  hostBridge: fc.record({
    bridge: fc.string({ minLength: 1, maxLength: 15 }),
    uplink: fc.string({ minLength: 1, maxLength: 15 }),
    mtu,
  }),
  network: fc.oneof(privateNetwork, publicNetwork),
  networkPolicy,
  multiNetworkPolicy: fc
    .tuple(
      networkPolicy,
      fc.array(fc.record({ namespace: name, name }), { minLength: 1, maxLength: 3 }),
      fc.record({ name, uid: fc.uuid() }),
    )
    .map(([policy, networks, ownedBy]) => ({ ...policy, networks, ownedBy })),
  service: fc.record({
    portName: fc.constant('ssh'),
    port: fc.constant(22),
    nodePort: fc.option(fc.integer({ min: 30_000, max: 32_767 })),
  }),
  endpointSlice: fc.record({
    service: name,
    portName: fc.constant('ssh'),
    port: fc.constant(22),
    address: fc.oneof(fc.ipV4(), fc.ipV6()),
  }),
  quota: fc.record(
    {
      vms: fc.nat(10_000),
      pods: fc.nat(10_000),
      cpuMillis: fc.nat(1_000_000),
      memoryMi: fc.nat(10_000_000),
      volumes: fc.nat(10_000),
      storageGi: fc.nat(1_000_000),
      volumeSnapshots: fc.nat(10_000),
    },
    { requiredKeys: [] },
  ),
  limits: fc.record({
    requests: fc.record({ cpuMillis: fc.nat(10_000), memoryMi: fc.nat(10_000) }),
  }),
  secret: fc.record({
    values: fc.dictionary(
      fc.constantFrom('userdata', 'networkdata', 'key'),
      fc.string({ unit: 'grapheme' }).map((text) => new Secret(text)),
    ),
  }),
}
