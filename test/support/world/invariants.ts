import { publicNetwork } from '../../../server/src/domain/network/public-network.ts'
import { type TestDatabase } from '../postgres/database.ts'
import { type KubeClient } from '../sandbox/sandbox.ts'
import { scheduleRules } from './schedule-invariants.ts'

interface CheckedWorld {
  database: Pick<TestDatabase, 'sql'>
  cluster: Pick<KubeClient, 'call'>
}

/*
 * Invariants of a world at rest, after any sequence of events. Each rule is a statement that
 * returns the rows which break it, with its ID in the reliability reference. Objects with an open
 * operation are still changing, so they are checked after the operation has ended.
 */
const rules: Readonly<Record<string, string>> = {
  'I-02 a VM with a running state has a cluster UID': `
    select name, state from vm where gone_at is null and failed_at is null and state in ('Running', 'Paused') and cluster_uid is null`,
  'no VM differs from its object in the cluster, except in a power state that a test has changed': `
    select name, drift from vm where gone_at is null and jsonb_path_exists(drift, '$[*] ? (@.part != "power")')`,
  'I-08 a VM whose deploy failed has the state Failed': `
    select vm.name, vm.state from vm join operation o on o.target_id = vm.id and o.kind = 'deploy_vm'
     where vm.failed_at is not null and vm.gone_at is null and vm.delete_requested_at is null and vm.state not in ('Failed', 'Deleting') and o.state = 'failed'`,
  'I-09 an operation has an end time exactly when its state is final': `
    select kind, state from operation where (finished_at is not null) <> (state in ('succeeded', 'failed', 'cancelled', 'superseded'))`,
  'I-09 a succeeded operation has no unfinished step, and an ended one has no running step': `
    select kind, state, steps from operation, jsonb_array_elements(steps) as step
     where (state = 'succeeded' and step ->> 'state' not in ('done', 'skipped')) or (finished_at is not null and step ->> 'state' = 'running')`,
  'I-10 no operation is open after its deadline': `
    select kind, target_name, deadline from operation where finished_at is null and deadline < now() - interval '30 seconds'`,
  'I-10 every open operation has a work row': `
    select o.kind, o.target_name from operation o
     where finished_at is null and not exists (select from work w where w.object_id = o.target_id and w.poisoned_at is null)`,
  'I-12 no two NICs share a MAC address or an IP address of a network': `
    select text(mac) as address from nic group by mac having count(*) > 1
     union all select host(address) from nic where address is not null group by network_id, address having count(*) > 1`,
  'I-12 the address of a NIC lies in its network and is not reserved': `
    select nic.address, network.cidr from nic join network on network.id = network_id
     where not nic.address << network.cidr or host(nic.address) in (host(network.gateway), host(network(network.cidr)), host(broadcast(network.cidr)))`,
  'I-12 every existing VM has a NIC': `
    select name from vm where gone_at is null and not exists (select from nic where vm_id = vm.id and free_at is null)`,
  'I-13 a deleted VM has released all its NICs': `
    select vm.name, nic.address from nic join vm on vm.id = vm_id where vm.gone_at is not null and nic.free_at is null`,
  'I-13 a deleted VM has no SSH service': `
    select vm.name, vm_ssh.service_uid, vm_ssh.slice_uid from vm_ssh join vm on vm.id = vm_id
     where vm.gone_at is not null and (vm_ssh.service_uid is not null or vm_ssh.slice_uid is not null)
       and not exists (select from work where kind = 'vm_ssh' and object_id = vm.id)`,
  'I-14 no two VMs of a tenant share a name': `
    select tenant_id, lower(name) from vm where gone_at is null group by 1, 2 having count(*) > 1`,
  'I-15 no two VPCs of a tenant and no two networks of a VPC overlap': `
    select a.name, b.name, a.cidr from vpc a join vpc b on a.tenant_id = b.tenant_id and a.id < b.id and a.cidr && b.cidr
     where a.gone_at is null and b.gone_at is null
     union all select a.name, b.name, a.cidr from network a join network b on a.vpc_id = b.vpc_id and a.id < b.id and a.cidr && b.cidr
     where a.gone_at is null and b.gone_at is null`,
  'I-15 a network lies in its VPC': `
    select network.name, network.cidr from network join vpc on vpc.id = vpc_id where network.gone_at is null and not network.cidr <<= vpc.cidr`,
  'I-18 no two networks share a segment': `
    select segment from network where gone_at is null and segment is not null group by segment having count(*) > 1`,
  'I-16 no tenant exceeds its quota': Object.entries({
    vms: 'vm where gone_at is null',
    volumes: 'volume where gone_at is null and failed_at is null',
    vpcs: 'vpc where gone_at is null',
    networks: 'network where gone_at is null',
    public_addresses: `nic where kind = 'public' and free_at is null`,
  })
    .map(
      ([limit, counted]) => `
    select '${limit}' as limit, q.tenant_id, q.${limit} as most, count(*) from tenant_quota q join (select tenant_id from ${counted}) x using (tenant_id)
     group by q.tenant_id, q.${limit} having count(*) > q.${limit}`,
    )
    .join(' union all '),
  'I-17 an attached volume has an existing VM, which is the one that holds it': `
    select volume.name, vm.name as vm from volume join vm on vm.id = volume.vm_id
     where volume.gone_at is null and (vm.gone_at is not null or vm.delete_requested_at is not null or volume.held_by <> vm.id)`,
  ...scheduleRules,
  'I-20 no change has a version that the row never had': `
    select c.kind, c.version, vm.version as row from change_log c join vm on vm.id = c.object_id where c.kind = 'vm' and c.version > vm.version`,
  'I-29 a seeded template of the platform is not deleted': `
    select name, state from vm_template where tenant_id is null and (gone_at is not null or delete_requested_at is not null)`,
}

/** Returns every broken rule with the rows that break it. */
export async function brokenRules({ database, cluster }: CheckedWorld): Promise<string[]> {
  const broken = await brokenRows({ database })
  const orphans = await orphansOf({ database, cluster })
  if (orphans.length > 0)
    broken.push(
      `I-01, I-04, I-05 every object of Berth in the cluster has a row: ${orphans.join(', ')}`,
    )
  const missing = await missingOf({ database, cluster })
  if (missing.length > 0)
    broken.push(`I-02 every row that shows an object has it in the cluster: ${missing.join(', ')}`)
  return broken
}

/** Returns the broken rules that must hold after every commit, even under load. */
export async function brokenRows({ database }: Pick<CheckedWorld, 'database'>): Promise<string[]> {
  const broken: string[] = []
  for (const [rule, text] of Object.entries(rules)) {
    const rows = await database.sql(text)
    if (rows.length > 0) broken.push(`${rule}: ${JSON.stringify(rows.slice(0, 5))}`)
  }
  return broken
}

/** The statements that select the row ID and the UID of each kind of object. */
const uidQueries = {
  '/apis/kubevirt.io/v1/virtualmachines': `select id, cluster_uid as uid from vm where gone_at is null`,
  '/apis/cdi.kubevirt.io/v1beta1/datavolumes': `
    select id, disk_uid as uid from vm where gone_at is null union all select id, iso_uid from vm where gone_at is null and iso_uid is not null
     union all select id, cluster_uid from vm_template where gone_at is null union all select id, cluster_uid from volume where gone_at is null`,
  '/apis/snapshot.storage.k8s.io/v1/volumesnapshots': `select id, cluster_uid as uid from volume_snapshot where gone_at is null`,
  '/apis/snapshot.kubevirt.io/v1beta1/virtualmachinesnapshots': `select id, cluster_uid as uid from vm_snapshot where gone_at is null`,
  // The UID of a completed restore is not stored.
  '/apis/snapshot.kubevirt.io/v1beta1/virtualmachinerestores': `select restore_id as id, 'any' as uid from vm where gone_at is null`,
  '/api/v1/namespaces': `
    select id, cluster_uid as uid from tenant where gone_at is null union all select id, cluster_uid from vpc where gone_at is null`,
  '/api/v1/services': `select vm_id as id, service_uid as uid from vm_ssh`,
  '/apis/discovery.k8s.io/v1/endpointslices': `select vm_id as id, slice_uid as uid from vm_ssh`,
  '/apis/k8s.cni.cncf.io/v1/network-attachment-definitions': `select id, cluster_uid as uid from network where gone_at is null`,
  // A cluster that does not serve these kinds has no such objects.
  '/apis/k8s.cni.cncf.io/v1beta1/multi-networkpolicies': `select vm_id as id, networks_uid as uid from vm_firewall where networks_uid is not null`,
  '/apis/kubeovn.io/v1/subnets': `select id, 'any' as uid from network where gone_at is null and driver = 'kube-ovn'`,
  '/apis/kubeovn.io/v1/vpcs': `select vpc.id, 'any' as uid from vpc join network on vpc_id = vpc.id where vpc.gone_at is null and driver = 'kube-ovn'`,
} as const

const open = `select target_id as id from operation where finished_at is null`

interface OwnObject {
  id: string
  uid: string
  label: string
}

async function ownObjectsIn(cluster: CheckedWorld['cluster'], path: string): Promise<OwnObject[]> {
  const { body } = await cluster.call(
    `${path}?labelSelector=${encodeURIComponent('berth.dev/managed-by=berth')}`,
  )
  return body.items.map(({ metadata }) => ({
    id: metadata.labels?.['berth.dev/row-id'] ?? '',
    uid: metadata.uid,
    label: `${path.slice(path.lastIndexOf('/') + 1)} ${metadata.name}`,
  }))
}

async function orphansOf({ database, cluster }: CheckedWorld): Promise<string[]> {
  const changing = new Set((await database.sql(open)).map(({ id }) => id))
  const found = await Promise.all(
    Object.entries(uidQueries).map(async ([path, text]) => {
      const known = new Set(
        (await database.sql(text)).map(({ id, uid }) => `${String(id)} ${String(uid)}`),
      )
      const ownObjects = await ownObjectsIn(cluster, path)
      const isKnown = ({ id, uid }: OwnObject): boolean =>
        known.has(`${id} ${uid}`) || known.has(`${id} any`)
      return ownObjects
        .filter((each) => each.id !== publicNetwork.id && !changing.has(each.id) && !isKnown(each))
        .map(({ label }) => label)
    }),
  )
  return found.flat()
}

/** The statements that select rows whose state implies an object in the cluster. */
const shownQueries: Readonly<Record<string, string>> = {
  '/apis/kubevirt.io/v1/virtualmachines': `select id, name, state, cluster_uid as uid from vm
    where gone_at is null and cluster_uid is not null and state not in ('Lost', 'Error', 'Failed')`,
  '/apis/cdi.kubevirt.io/v1beta1/datavolumes': `select id, name, state, cluster_uid as uid from volume
    where gone_at is null and state in ('ready', 'attaching', 'attached', 'detaching', 'resizing')`,
  '/apis/snapshot.storage.k8s.io/v1/volumesnapshots': `select id, name, state, cluster_uid as uid from volume_snapshot
    where gone_at is null and state = 'ready'`,
  '/apis/snapshot.kubevirt.io/v1beta1/virtualmachinesnapshots': `select id, name, state, cluster_uid as uid from vm_snapshot
    where gone_at is null and state = 'ready'`,
}

/** Returns the rows whose object is missing in the cluster. */
async function missingOf({ database, cluster }: CheckedWorld): Promise<string[]> {
  const missing = await Promise.all(
    Object.entries(shownQueries).map(async ([path, text]) => {
      const rows = await database.sql(`select * from (${text}) shown where id not in (${open})`)
      const there = new Set((await ownObjectsIn(cluster, path)).map(({ uid }) => uid))
      return rows
        .filter(({ uid }) => !there.has(String(uid)))
        .map(({ name, state }) => `${String(name)} (${String(state)})`)
    }),
  )
  return missing.flat()
}
