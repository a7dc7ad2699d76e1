import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { manifests } from '../../../server/src/cluster/manifests.ts'
import { vmManifestVersion } from '../../../server/src/cluster/vm/manifest-vm.ts'
import { manifestOf } from '../../../server/src/cluster/objects.ts'
import {
  type ObjectNoun,
  objectNouns,
  clusterScopedNouns,
} from '../../../server/src/cluster/reader.ts'
import { violations, crdSchemas, crdsPresent } from '../../support/cluster/crd-schema.ts'
import { type Json } from '../../support/json.ts'
import { id, sent, desiredObjectsOf } from '../../support/cluster/desired-manifests.ts'
import { aDesiredVm } from '../../support/cluster/desired-objects.ts'
import { fc } from '../../support/property-testing.ts'
import dedicatedCpusAsWritten from '../golden/vm-dedicated-cpu.json' with { type: 'json' }

/*
 * Checks every manifest that Berth can produce against the schemas of the real CRDs and against the
 * rules of the real webhooks.
 */
const keyOf = (noun: ObjectNoun): string => {
  const { group, version, kind } = manifests[noun].of
  return `${group}/${version}/${kind}`
}

const builtInGroups = ['networking.k8s.io', 'discovery.k8s.io', 'admissionregistration.k8s.io']
/** The test data has no CRDs for these kinds. */
const otherKinds = ['kubeovn.io/v1', 'k8s.cni.cncf.io/v1beta1', 'nmstate.io/v1']
const custom = objectNouns.filter((noun) => {
  const { group, version } = manifests[noun].of
  return (
    group.includes('.') &&
    !builtInGroups.includes(group) &&
    !otherKinds.includes(`${group}/${version}`)
  )
})

describe.skipIf(!crdsPresent)(
  crdsPresent
    ? 'CRD validation'
    : 'CRD validation (skipped: the CRDs are not beside this checkout)',
  () => {
    const schemas = crdsPresent ? crdSchemas() : new Map<string, never>()

    test.each(custom)('generated manifests match the schema of their CRD: %s', (noun) => {
      const schema = schemas.get(keyOf(noun))
      if (!schema) return expect.unreachable(`no schema for ${keyOf(noun)}`)
      fc.assert(
        fc.property(desiredObjectsOf(noun), (desired) => {
          expect(violations(sent(desired), schema)).toEqual([])
        }),
        { numRuns: 300 },
      )
    })

    test('the schema check reports missing, unknown and mistyped fields', () => {
      const schema = schemas.get('kubevirt.io/v1/VirtualMachine') ?? {}
      const vm = (spec: object): Json => ({
        spec: { template: { spec: { domain: { devices: {} }, ...spec } } },
      })
      expect(violations({}, schema)).toEqual(['.spec: missing'])
      expect(violations({ spec: {} }, schema)).toEqual(['.spec.template: missing'])
      expect(violations(vm({ hostname: 7 }), schema)).toEqual([
        '.spec.template.spec.hostname: integer instead of string',
      ])
      expect(violations(vm({ hostnam: 'a' }), schema)).toEqual([
        '.spec.template.spec.hostnam: unknown field',
      ])
      expect(violations(vm({ volumes: [{}] }), schema)).toEqual([
        '.spec.template.spec.volumes[0].name: missing',
      ])
      expect(
        violations(vm({ domain: { devices: {}, memory: { guest: 'much' } } }), schema)[0],
      ).toMatch(/guest.*does not fit/)
      expect(
        violations(vm({ domain: { devices: {}, cpu: { sockets: 2 ** 31 } } }), schema),
      ).toEqual(['.spec.template.spec.domain.cpu.sockets: 2147483648 is out of range'])
    })
  },
)

/** Returns the paths of the empty lists in a manifest. */
const emptyListsIn = (value: Json, path = ''): string[] => {
  if (Array.isArray(value) && value.length === 0) return [path]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, field]) => emptyListsIn(field, `${path}.${key}`))
}

test.each(objectNouns)('a manifest has no empty list: %s', (noun) => {
  fc.assert(
    fc.property(desiredObjectsOf(noun), (desired) => {
      expect(emptyListsIn(sent(desired))).toEqual([])
    }),
    { numRuns: 300 },
  )
})

test('kinds without a CRD are those of the API server, Kube-OVN, NMState and MultiNetworkPolicy', () => {
  expect(objectNouns.filter((noun) => !custom.includes(noun))).toEqual([
    'volume',
    'networkPolicy',
    'service',
    'endpointSlice',
    'quota',
    'limits',
    'secret',
    'multiNetworkPolicy',
    ...clusterScopedNouns,
  ])
})

test.each(objectNouns)(
  'a manifest is deterministic and contains neither undefined nor null: %s',
  (noun) => {
    fc.assert(
      fc.property(desiredObjectsOf(noun), (desired) => {
        const { content } = manifestOf(desired)
        expect(manifestOf(desired).content).toEqual(content)
        expect(JSON.parse(JSON.stringify(content))).toStrictEqual(content)
        expect(JSON.stringify(content)).not.toMatch(/null|undefined|NaN/)
      }),
    )
  },
)

test('the manifest of a VM with dedicated CPUs matches its golden file', () => {
  const spec = aDesiredVm({ dedicatedCpu: true, vcpus: 2, maxVcpus: 2, maxMemoryMi: 1024 })
  const target = { namespace: 'berth-acme', name: 'web', tenantId: id, rowId: id, uid: null }
  expect(sent({ noun: 'vm', ...target, spec })).toEqual(dedicatedCpusAsWritten)
})

test('a VM manifest that changes has another version', () => {
  const samples = fc.sample(desiredObjectsOf('vm'), { numRuns: 100, seed: 7 })
  const hash = createHash('sha256')
    .update(JSON.stringify(samples.map((vm) => sent(vm).spec)))
    .digest('hex')
    .slice(0, 16)
  expect(
    { version: vmManifestVersion.value, hash },
    'increase vmManifestVersion when the manifest has changed, and write the new hash here',
  ).toEqual({ version: '1', hash: '7f8e65e07d217fd8' })
})

/** The spec of the VMI, with the lists that the manifest leaves out because they are empty. */
function instanceOf(desired: Parameters<typeof sent>[0]): Json {
  const { domain, volumes = [], networks = [], ...spec } = sent(desired).spec.template.spec
  const devices = { disks: [], interfaces: [], ...domain.devices }
  return { ...spec, volumes, networks, domain: { ...domain, devices } }
}
const vms = (check: (spec: Json) => void): void =>
  fc.assert(fc.property(desiredObjectsOf('vm'), (desired) => check(instanceOf(desired))))
const namesOf = (all: Json[]): string[] => all.map((each: Json) => each.name)
const unique = <T>(all: T[]): boolean => new Set(all).size === all.length

describe('rules of the KubeVirt webhooks', () => {
  test('each disk has its volume or is an empty CD-ROM tray, and each volume has its disk', () => {
    vms(({ domain, volumes }) => {
      const disks: Json[] = domain.devices.disks
      expect(unique(namesOf(disks))).toBe(true)
      expect(
        namesOf(disks.filter(({ cdrom }) => cdrom === undefined)).filter(
          (disk) => !namesOf(volumes).includes(disk),
        ),
      ).toEqual([])
      expect(namesOf(volumes).filter((volume) => !namesOf(disks).includes(volume))).toEqual([])
    })
  })

  test('a container disk has an image and no other volume source', () => {
    vms(({ volumes }) => {
      for (const { name: _name, ...sources } of volumes)
        expect(Object.keys(sources)).toHaveLength(1)
      for (const { containerDisk } of volumes)
        if (containerDisk) {
          const { imagePullPolicy = 'Always', ...disk } = containerDisk
          expect(disk).toEqual({ image: expect.stringMatching(/^\w+\./) })
          expect(['Always', 'IfNotPresent']).toContain(imagePullPolicy)
        }
    })
  })

  test('a registry import uses the docker scheme and pulls in a pod', () => {
    fc.assert(
      fc.property(desiredObjectsOf('dataVolume'), (desired) => {
        const { registry } = sent(desired).spec.source
        if (registry)
          expect(registry).toEqual({
            url: expect.stringMatching(/^docker:\/\/\w/),
            pullMethod: 'pod',
          })
      }),
    )
  })

  test('each NIC has its network and one binding, and at most one NIC uses the pod network', () => {
    vms(({ domain, networks }) => {
      expect(namesOf(domain.devices.interfaces)).toEqual(namesOf(networks))
      expect(networks.filter(({ pod }: Json) => pod !== undefined).length).toBeLessThanOrEqual(1)
      for (const { bridge, masquerade, name: nic } of domain.devices.interfaces) {
        const isPod = networks.find((network: Json) => network.name === nic).pod !== undefined
        expect({ bridge, masquerade }).toEqual(isPod ? { masquerade: {} } : { bridge: {} })
      }
    })
  })

  test('a NIC refers to its network by namespace and name, and an invalid name throws', () => {
    const odd = fc
      .string({ unit: 'binary' })
      .filter((text) => !/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(text))
    fc.assert(
      fc.property(desiredObjectsOf('vm'), odd, (desired, text) => {
        const references = desired.spec.nics.flatMap(({ network }) => network ?? [])
        const { networks } = instanceOf(desired)
        expect(networks.flatMap(({ multus }: Json) => multus?.networkName ?? [])).toEqual(
          references.map((each) => `${each.namespace}/${each.name}`),
        )
        const nicIn = (network: { namespace: string; name: string }) => ({
          name: 'nic0',
          network,
          mac: '02:00:00:00:00:01',
          model: 'virtio' as const,
        })
        for (const network of [
          { namespace: text, name: 'net' },
          { namespace: 'vpc', name: text },
        ])
          expect(() =>
            sent({ ...desired, spec: { ...desired.spec, nics: [nicIn(network)] } }),
          ).toThrow('is not a valid name in the cluster')
      }),
    )
  })

  test('a Windows guest gets its settings on a CD-ROM, and its TPM persists exactly when its EFI variables do', () => {
    fc.assert(
      fc.property(desiredObjectsOf('vm'), (desired) => {
        const { domain } = instanceOf(desired)
        const settings = domain.devices.disks.find((disk: Json) => disk.name === 'cloudinit')
        if (settings)
          expect(Object.keys(settings)).toContain(
            desired.spec.guest === 'windows' ? 'cdrom' : 'disk',
          )
        const { tpm, boot } = desired.spec.firmware
        expect(domain.devices.tpm).toEqual(tpm && { persistent: tpm === 'persistent' })
        if (boot !== 'bios')
          expect(domain.firmware.bootloader.efi.persistent ?? false).toBe(tpm === 'persistent')
        if (desired.spec.guest === 'windows')
          expect(domain.features.hyperv).toMatchObject({
            vpindex: {},
            synic: {},
            ipi: {},
            tlbflush: {},
          })
      }),
    )
  })

  test('a CD-ROM uses SATA, secure boot enables SMM, and memory headroom is set only where a guest can grow', () => {
    vms(({ domain }) => {
      for (const { cdrom } of domain.devices.disks) if (cdrom) expect(cdrom.bus).toBe('sata')
      if (domain.firmware.bootloader.efi?.secureBoot) expect(domain.features.smm.enabled).toBe(true)
      const mi = (quantity: string): number => Number.parseInt(quantity)
      if (domain.memory.maxGuest)
        expect(
          mi(domain.memory.guest) >= 1024 && mi(domain.memory.maxGuest) >= mi(domain.memory.guest),
        ).toBe(true)
    })
  })

  test('a restore keeps the names of claims, and each claim stays owned by its data volume', () => {
    fc.assert(
      fc.property(desiredObjectsOf('vmRestore'), (desired) => {
        const {
          volumeRestorePolicy,
          volumeOwnershipPolicy,
          volumeRestoreOverrides = [],
        }: Json = sent(desired).spec
        expect({ volumeRestorePolicy, volumeOwnershipPolicy }).toEqual({
          volumeRestorePolicy: 'InPlace',
          volumeOwnershipPolicy: 'None',
        })
        const owners = volumeRestoreOverrides.map((each: Json) => [
          each.volumeName,
          Object.values(each.annotations)[0],
        ])
        expect(Object.fromEntries(owners)).toEqual({ ...desired.spec.volumes })
      }),
    )
  })
})

test('secret values stay in the data of a Secret and are readable nowhere else', () => {
  fc.assert(
    fc.property(desiredObjectsOf('secret'), (desired) => {
      const { data } = sent(desired)
      for (const [key, value] of Object.entries(desired.spec.values))
        expect(Buffer.from(data[key], 'base64').toString('utf8')).toBe(
          Buffer.from(value.reveal(), 'utf8').toString('utf8'),
        )
      expect(JSON.stringify(desired)).not.toMatch(/"values":\{"[a-z]+":"(?!\[redacted\]")/)
    }),
  )
})
