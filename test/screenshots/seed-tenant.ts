import { graphOf } from '../support/browser/root-client.ts'
import { type Json } from '../support/json.ts'

type Ask = (query: string, input?: object) => Promise<Json>

const seeded = new Map<string, Promise<void>>()

/** Fills the tenant with objects as in daily use, once for each server. */
export function seedTenant(url: string): Promise<void> {
  const seeding = seeded.get(url) ?? seedOnce(url)
  seeded.set(url, seeding)
  return seeding
}

const make = async (
  ask: Ask,
  name: string,
  { input, wait = '', select }: { input: object; wait?: string; select: string },
): Promise<Json> =>
  (
    await ask(
      `mutation ($i: ${name[0]?.toUpperCase()}${name.slice(1)}Input!) { ${name}(input: $i${wait}) { ${select} } }`,
      input,
    )
  )[name]
const untilDone = ', waitSeconds: 40'

async function seedOnce(url: string): Promise<void> {
  const ask = await graphOf(url)
  const sshKey = await make(ask, 'createSshKey', {
    input: { name: 'ann-laptop' },
    select: 'sshKey { id }',
  })
  await make(ask, 'createApiKey', {
    input: { name: 'nightly-report', scopes: ['vms:read'] },
    select: 'apiKey { id }',
  })
  const { vpc } = await make(ask, 'createVpc', {
    input: { name: 'shop', prefix: 20 },
    wait: untilDone,
    select: 'vpc { id }',
  })
  const networks: string[] = []
  for (const name of ['web', 'databases']) {
    const made = {
      input: { name, vpcId: vpc.id, prefix: 24 },
      wait: untilDone,
      select: 'network { id }',
    }
    networks.push((await make(ask, 'createNetwork', made)).network.id)
  }
  const rule = { direction: 'ingress', protocol: 'tcp', cidr: '0.0.0.0/0' }
  const rules = [443, 22].map((port) => ({ ...rule, portFrom: port, portTo: port }))
  const group = {
    input: { name: 'shop-front', description: 'HTTPS and SSH from anywhere', rules },
    select: 'securityGroup { id }',
  }
  const { securityGroup } = await make(ask, 'createSecurityGroup', group)
  await createVms(ask, {
    sshKeyIds: [sshKey.sshKey.id],
    networks,
    securityGroupIds: [securityGroup.id],
  })
  await createStorage(ask)
  await setQuota(ask)
  const absent = {
    name: 'rescue',
    displayName: 'Rescue system',
    sourceType: 'iso',
    image: 'https://images.invalid/rescue.iso',
    isoSizeGi: 1,
  }
  await make(ask, 'createVmTemplate', { input: absent, select: 'vmTemplate { id }' })
  const tenant = {
    name: 'Harbour Museum',
    slug: 'museum',
    adminPassword: 'to be changed at once',
    description: 'Two rooms and a ship',
  }
  await make(ask, 'createTenant', { input: tenant, select: 'tenant { id }' })
}

async function createVms(
  ask: Ask,
  { networks, ...access }: { networks: string[]; sshKeyIds: string[]; securityGroupIds: string[] },
) {
  const { vmTemplates } = await ask(
    '{ vmTemplates(first: 1, filter: { sourceType: container }) { nodes { id } } }',
  )
  const common = { templateId: vmTemplates.nodes[0].id, rootDisk: 'ephemeral', ...access }
  const sizes = {
    small: { cpu: 1, memoryMi: 1_024 },
    medium: { cpu: 2, memoryMi: 2_048 },
    large: { cpu: 4, memoryMi: 8_192 },
  }
  const vms = [
    { name: 'shop-web-1', ...sizes.small, networkIds: networks.slice(0, 1) },
    { name: 'shop-web-2', ...sizes.small, networkIds: networks.slice(0, 1) },
    {
      name: 'orders-db',
      ...sizes.medium,
      networkIds: networks,
      tags: ['prod', 'postgres'],
      deleteProtection: true,
    },
    { name: 'search', ...sizes.large, networkIds: networks.slice(1) },
    { name: 'build-runner', ...sizes.medium, networkIds: [], start: false },
    { name: 'mail', ...sizes.small, networkIds: [] },
  ]
  for (const vm of vms)
    await make(ask, 'createVm', {
      input: { ...common, ...vm },
      wait: untilDone,
      select: 'vm { id }',
    })
  await make(ask, 'pauseVm', { input: { name: 'mail' }, wait: untilDone, select: 'vm { id }' })
  await make(ask, 'exposeVmSsh', {
    input: { name: 'orders-db', nodePort: 31_022 },
    wait: untilDone,
    select: 'vm { id }',
  })
}

async function setQuota(ask: Ask): Promise<void> {
  const { viewer } = await ask('{ viewer { tenant { id } } }')
  const most = { vms: 10, vcpus: 24, memoryMi: 32_768, storageGi: 250, snapshots: 20 }
  await make(ask, 'updateTenantQuota', {
    input: { id: viewer.tenant.id, ...most },
    select: 'tenant { id }',
  })
}

async function createStorage(ask: Ask): Promise<void> {
  const { id: vmId } = (await ask('{ vmByName(name: "orders-db") { id } }')).vmByName
  const volumes: string[] = []
  for (const [name, sizeGi] of [
    ['orders-data', 20],
    ['uploads', 50],
    ['scratch', 5],
  ] as const) {
    const made = {
      input: { name, sizeGi, storageClass: 'fast' },
      wait: untilDone,
      select: 'volume { id }',
    }
    volumes.push((await make(ask, 'createVolume', made)).volume.id)
  }
  const [data, uploads] = volumes
  await make(ask, 'attachVolume', {
    input: { id: data, vmId },
    wait: untilDone,
    select: 'volume { id }',
  })
  await make(ask, 'createVolumeSnapshot', {
    input: { volumeId: uploads, name: 'before-the-move' },
    wait: untilDone,
    select: 'operation { id }',
  })
  const before = { vmId, name: 'before-upgrade', acceptMissing: true }
  await make(ask, 'createVmSnapshot', {
    input: before,
    wait: untilDone,
    select: 'operation { id }',
  })
  const select = 'snapshotSchedule { id }'
  const plans = [
    { name: 'orders-nightly', vmId, acceptMissing: true, cron: '30 2 * * *', keep: 7 },
    { name: 'orders-monthly', vmId, acceptMissing: true, cron: '0 4 1 * *', keep: 12 },
    { name: 'uploads-hourly', volumeId: uploads, cron: '0 * * * *', keep: 24 },
    { name: 'data-weekly', volumeId: data, cron: '0 18 * * 5', keep: 4 },
  ]
  for (const plan of plans)
    await make(ask, 'createSnapshotSchedule', {
      input: { timeZone: 'Europe/Lisbon', ...plan },
      select,
    })
  const monthly =
    '{ snapshotSchedules(first: 1, filter: { search: "orders-monthly" }) { nodes { id } } }'
  await make(ask, 'pauseSnapshotSchedule', {
    input: { id: (await ask(monthly)).snapshotSchedules.nodes[0].id },
    select,
  })
}
