import { type RoleRow, subresourceList, rule, verbs } from './role-rules.ts'

const { all, read } = verbs
const edit = 'create delete get list patch update watch'
const subresources = 'subresources.kubevirt.io'
const kubevirt = 'kubevirt.io'
const vms = 'virtualmachines'
const vmis = 'virtualmachineinstances'
const authenticatedUsers = 'system:authenticated'

/** Subresources that read from a guest; `streamSubresources` open a connection to it. */
const guestReads = `${subresourceList(vmis, 'guestosinfo filesystemlist userlist sev/fetchcertchain sev/querylaunchmeasurement objectgraph')} virtualmachines/objectgraph`
const streamSubresources = subresourceList(vmis, 'console vnc portforward usbredir')

const vmiActions = subresourceList(
  vmis,
  'pause unpause addvolume removevolume freeze unfreeze softreboot reset sev/setupsession sev/injectlaunchsecret evacuate/cancel',
)
const vmActions = subresourceList(
  vms,
  'start stop restart addvolume removevolume memorydump removememorydump evacuate/cancel',
)

const actionRules = [
  rule('update', subresources, vmiActions),
  rule('get', subresources, subresourceList(vms, 'expand-spec portforward')),
  rule('update', subresources, vmActions),
  rule('update', subresources, 'expand-vm-spec'),
]

/** Rules with the same verbs for the kinds that KubeVirt stores beside VMs and VMIs. */
const relatedKindRules = (verbsText: string) => [
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

const ownKinds = `${vms} ${vmis} virtualmachineinstancepresets virtualmachineinstancereplicasets`
const migrations = 'virtualmachineinstancemigrations'
const policies = rule(read, 'migrations.kubevirt.io', 'migrationpolicies')

const aggregates = (to: string): Record<string, string> => ({
  [`rbac.authorization.k8s.io/aggregate-to-${to}`]: 'true',
})

const kubevirtRows: readonly RoleRow[] = [
  {
    name: 'instancetype.kubevirt.io:view',
    boundTo: [authenticatedUsers],
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
    boundTo: [authenticatedUsers],
    rules: [
      rule('get list', kubevirt, 'kubevirts'),
      rule('get list', subresources, 'version guestfs'),
    ],
  },
  {
    name: 'kubevirt.io:admin',
    labels: aggregates('admin'),
    rules: [
      rule(
        'get',
        subresources,
        `${streamSubresources} ${subresourceList(vmis, 'vnc/screenshot')} ${guestReads}`,
      ),
      ...actionRules,
      rule(all, kubevirt, ownKinds),
      rule(read, kubevirt, migrations),
      ...relatedKindRules(all),
      policies,
    ],
  },
  {
    name: 'kubevirt.io:edit',
    labels: aggregates('edit'),
    rules: [
      rule('get', subresources, `${streamSubresources} ${guestReads}`),
      ...actionRules,
      rule(edit, kubevirt, ownKinds),
      rule(read, kubevirt, migrations),
      ...relatedKindRules(edit),
      rule('get list', kubevirt, 'kubevirts'),
      policies,
    ],
  },
  {
    name: 'kubevirt.io:view',
    labels: aggregates('view'),
    rules: [
      rule('get list', kubevirt, 'kubevirts'),
      rule('get', subresources, `${subresourceList(vms, 'expand-spec')} ${guestReads}`),
      rule('update', subresources, 'expand-vm-spec'),
      rule(read, kubevirt, `${ownKinds} ${migrations}`),
      ...relatedKindRules(read),
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
    boundTo: [authenticatedUsers],
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
