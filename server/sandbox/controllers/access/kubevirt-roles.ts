import { type RoleRow, below, rule, verbs } from './role-words.ts'

const { all, read } = verbs
const edit = 'create delete get list patch update watch'
const subresources = 'subresources.kubevirt.io'
const kubevirt = 'kubevirt.io'
const machines = 'virtualmachines'
const instances = 'virtualmachineinstances'
const everybody = 'system:authenticated'

/** Subresources that read from a guest; `streamSubresources` open a connection to it. */
const looks = `${below(instances, 'guestosinfo filesystemlist userlist sev/fetchcertchain sev/querylaunchmeasurement objectgraph')} virtualmachines/objectgraph`
const doors = below(instances, 'console vnc portforward usbredir')

const instanceActions = below(
  instances,
  'pause unpause addvolume removevolume freeze unfreeze softreboot reset sev/setupsession sev/injectlaunchsecret evacuate/cancel',
)
const machineActions = below(
  machines,
  'start stop restart addvolume removevolume memorydump removememorydump evacuate/cancel',
)

const acts = [
  rule('update', subresources, instanceActions),
  rule('get', subresources, below(machines, 'expand-spec portforward')),
  rule('update', subresources, machineActions),
  rule('update', subresources, 'expand-vm-spec'),
]

/** Rules with the same verbs for the kinds that KubeVirt stores beside VMs and VMIs. */
const around = (verbsText: string) => [
  rule(
    verbsText,
    'snapshot.kubevirt.io',
    'virtualmachinesnapshots virtualmachinesnapshotcontents virtualmachinerestores',
  ),
  rule(verbsText, 'backup.kubevirt.io', 'virtualmachinebackups virtualmachinebackuptrackers'),
  rule(verbsText, 'export.kubevirt.io', 'virtualmachineexports'),
  rule(verbsText, 'clone.kubevirt.io', 'virtualmachineclones'),
  rule(
    verbsText,
    'instancetype.kubevirt.io',
    'virtualmachineinstancetypes virtualmachineclusterinstancetypes',
  ),
  rule(
    verbsText,
    'instancetype.kubevirt.io',
    'virtualmachinepreferences virtualmachineclusterpreferences',
  ),
  rule(verbsText, 'pool.kubevirt.io', 'virtualmachinepools'),
]

const ownKinds = `${machines} ${instances} virtualmachineinstancepresets virtualmachineinstancereplicasets`
const migrations = 'virtualmachineinstancemigrations'
const policies = rule(read, 'migrations.kubevirt.io', 'migrationpolicies')

const aggregates = (to: string): Record<string, string> => ({
  [`rbac.authorization.k8s.io/aggregate-to-${to}`]: 'true',
})

const kubevirtRows: readonly RoleRow[] = [
  {
    name: 'instancetype.kubevirt.io:view',
    boundTo: [everybody],
    rules: [
      rule(
        read,
        'instancetype.kubevirt.io',
        'virtualmachineclusterinstancetypes virtualmachineclusterpreferences',
      ),
    ],
  },
  {
    name: 'kubevirt.io:default',
    boundTo: [everybody],
    rules: [
      rule('get list', kubevirt, 'kubevirts'),
      rule('get list', subresources, 'version guestfs'),
    ],
  },
  {
    name: 'kubevirt.io:admin',
    labels: aggregates('admin'),
    rules: [
      rule('get', subresources, `${doors} ${below(instances, 'vnc/screenshot')} ${looks}`),
      ...acts,
      rule(all, kubevirt, ownKinds),
      rule(read, kubevirt, migrations),
      ...around(all),
      policies,
    ],
  },
  {
    name: 'kubevirt.io:edit',
    labels: aggregates('edit'),
    rules: [
      rule('get', subresources, `${doors} ${looks}`),
      ...acts,
      rule(edit, kubevirt, ownKinds),
      rule(read, kubevirt, migrations),
      ...around(edit),
      rule('get list', kubevirt, 'kubevirts'),
      policies,
    ],
  },
  {
    name: 'kubevirt.io:view',
    labels: aggregates('view'),
    rules: [
      rule('get list', kubevirt, 'kubevirts'),
      rule('get', subresources, `${below(machines, 'expand-spec')} ${looks}`),
      rule('update', subresources, 'expand-vm-spec'),
      rule(read, kubevirt, `${ownKinds} ${migrations}`),
      ...around(read),
      policies,
    ],
  },
  {
    name: 'kubevirt.io:migrate',
    rules: [
      rule('update', subresources, 'virtualmachines/migrate'),
      rule(all, kubevirt, migrations),
    ],
  },
]

const cdi = 'cdi.kubevirt.io'
const volumes =
  'datavolumes dataimportcrons datasources volumeimportsources volumeuploadsources volumeclonesources'
const fillVolumes = [
  rule('*', cdi, volumes),
  rule('create', cdi, 'datavolumes/source'),
  rule('*', 'upload.cdi.kubevirt.io', 'uploadtokenrequests'),
]

const cdiRows: readonly RoleRow[] = [
  {
    name: 'cdi.kubevirt.io:config-reader',
    boundTo: [everybody],
    rules: [rule(read, cdi, 'cdiconfigs storageprofiles')],
  },
  { name: 'cdi.kubevirt.io:admin', labels: aggregates('admin'), rules: fillVolumes },
  { name: 'cdi.kubevirt.io:edit', labels: aggregates('edit'), rules: fillVolumes },
  {
    name: 'cdi.kubevirt.io:view',
    labels: aggregates('view'),
    rules: [
      rule(read, cdi, `cdiconfigs objecttransfers storageprofiles ${volumes}`),
      rule('create', cdi, 'datavolumes/source'),
    ],
  },
]

/**
 * The ClusterRoles that KubeVirt and CDI install. The first row is bound to all authenticated
 * users.
 */
export const operatorRoles: readonly RoleRow[] = [
  ...kubevirtRows.slice(0, 1),
  ...cdiRows,
  ...kubevirtRows.slice(1),
]
