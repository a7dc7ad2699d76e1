import { powerVerbNames } from '../../../server/src/domain/vm/power-verbs.ts'
import { type ForeignIdCase } from './foreign-id-case.ts'
import { nounForeignCases } from './nouns.ts'

/** The caller's own objects. They exist when the document of a case is sent. */
interface Own {
  platformTemplate: string
  vm: string
  volume: string
  network: string
  vmSnapshot: string
  rivalsGroup: string
}

const vmVerb =
  (name: string) =>
  (id: string): [string, Record<string, unknown>] => [
    `mutation ($i: ${name[0]?.toUpperCase()}${name.slice(1)}Input!) { ${name}(input: $i) { vm { id } } }`,
    { i: { id } },
  ]

const volumeVerb =
  (name: string) =>
  (id: string, more: Record<string, unknown> = {}): [string, Record<string, unknown>] => [
    `mutation ($i: ${name[0]?.toUpperCase()}${name.slice(1)}Input!) { ${name}(input: $i) { volume { id } } }`,
    { i: { id, ...more } },
  ]

const newVm = (input: Record<string, unknown>): [string, Record<string, unknown>] => [
  'mutation ($i: CreateVmInput!) { createVm(input: $i) { vm { id } } }',
  { i: { name: 'planted', ...input } },
]

const rewired = (
  verb: 'attachNetwork' | 'detachNetwork',
  vmId: string,
  networkId: string,
): [string, Record<string, unknown>] => [
  `mutation ($i: ${verb === 'attachNetwork' ? 'Attach' : 'Detach'}NetworkInput!) { ${verb}(input: $i) { vm { id } } }`,
  { i: { vmId, networkId } },
]

const groupsOf = (id: string, group: string): [string, Record<string, unknown>] => [
  'mutation ($i: SetVmSecurityGroupsInput!) { setVmSecurityGroups(input: $i) { vm { id } } }',
  { i: { id, securityGroupIds: [group] } },
]

const restoreOf = (vmId: string, snapshotId: string): [string, Record<string, unknown>] => [
  'mutation ($i: RestoreVmInput!) { restoreVm(input: $i) { vm { id } } }',
  { i: { vmId, snapshotId } },
]

const cloneOf = (
  snapshotId: string,
  more: Record<string, unknown> = {},
): [string, Record<string, unknown>] => [
  'mutation ($i: CloneVmSnapshotInput!) { cloneVmSnapshot(input: $i) { vm { id } } }',
  { i: { snapshotId, name: 'planted', ...more } },
]

/** A noun of each type that `node` finds. Service offerings belong to no tenant. */
const nodeNouns = [
  'network',
  'operation',
  'role',
  'schedule',
  'securityGroup',
  'snapshot',
  'sshKey',
  'template',
  'tenant',
  'unmanagedVm',
  'user',
  'vm',
  'vmSnapshot',
  'volume',
  'vpc',
] as const

/** One case for each field that takes an id. The id is that of another tenant's object. */
export const foreignCases = (own: () => Own): ForeignIdCase[] => [
  ...nodeNouns.map((noun): ForeignIdCase => [
    noun,
    'node',
    (id) => ['query ($id: ID!) { node(id: $id) { __typename id } }', { id }],
  ]),
  ...nounForeignCases.flat(),
  ['template', 'vmTemplate', (id) => ['query ($id: ID!) { vmTemplate(id: $id) { id } }', { id }]],
  [
    'template',
    'updateVmTemplate',
    (id) => [
      'mutation ($i: UpdateVmTemplateInput!) { updateVmTemplate(input: $i) { vmTemplate { id } } }',
      { i: { id, description: 'mine' } },
    ],
  ],
  [
    'template',
    'retryVmTemplateImport',
    (id) => [
      'mutation ($i: RetryVmTemplateImportInput!) { retryVmTemplateImport(input: $i) { vmTemplate { id } } }',
      { i: { id } },
    ],
  ],
  [
    'template',
    'deleteVmTemplate',
    (id) => [
      'mutation ($i: DeleteVmTemplateInput!) { deleteVmTemplate(input: $i) { vmTemplate { id } } }',
      { i: { id } },
    ],
  ],
  ['vm', 'vmLog', (id) => ['query ($id: ID!) { vmLog(id: $id) { reason } }', { id }]],
  [
    'vm',
    'vmEvents',
    (id) => ['query ($id: ID!) { vmEvents(vmId: $id) { totalCount nodes { id } } }', { id }],
  ],
  ['vm', 'vm', (id) => ['query ($id: ID!) { vm(id: $id) { id } }', { id }]],
  ...[
    ...powerVerbNames.map((verb) => `${verb}Vm`),
    'ejectVmIso',
    'revertVmDrift',
    'acceptVmDrift',
    'retryVm',
    'updateVm',
    'deleteVm',
  ].map((name): ForeignIdCase => ['vm', name, vmVerb(name)]),
  [
    'vm',
    'createVmConsoleTicket',
    (id) => [
      'mutation ($i: CreateVmConsoleTicketInput!) { createVmConsoleTicket(input: $i) { ticket } }',
      { i: { id, kind: 'serial' } },
    ],
  ],
  ['volume', 'volume', (id) => ['query ($id: ID!) { volume(id: $id) { id } }', { id }]],
  ...(['updateVolume', 'detachVolume', 'deleteVolume'] as const).map((name): ForeignIdCase => [
    'volume',
    name,
    volumeVerb(name),
  ]),
  ['volume', 'attachVolume', (id) => volumeVerb('attachVolume')(id, { vmId: own().vm })],
  ['vm', 'attachVolume.vmId', (id) => volumeVerb('attachVolume')(own().volume, { vmId: id })],
  ...(['template', 'network'] as const).map((noun): ForeignIdCase => [
    noun,
    `vms.${noun}Id`,
    (id) => [
      `query ($id: ID!) { vms(filter: { ${noun}Id: $id }) { totalCount nodes { id } } }`,
      { id },
    ],
  ]),
  [
    'vm',
    'volumes.vmId',
    (id) => [
      'query ($id: ID!) { volumes(filter: { vmId: $id }) { totalCount nodes { id } } }',
      { id },
    ],
  ],
  [
    'snapshot',
    'volumeSnapshot',
    (id) => ['query ($id: ID!) { volumeSnapshot(id: $id) { id } }', { id }],
  ],
  [
    'snapshot',
    'deleteVolumeSnapshot',
    (id) => [
      'mutation ($i: DeleteVolumeSnapshotInput!) { deleteVolumeSnapshot(input: $i) { volumeSnapshot { id } } }',
      { i: { id } },
    ],
  ],
  [
    'volume',
    'createVolumeSnapshot.volumeId',
    (id) => [
      'mutation ($i: CreateVolumeSnapshotInput!) { createVolumeSnapshot(input: $i) { volumeSnapshot { id } } }',
      { i: { volumeId: id, name: 'planted' } },
    ],
  ],
  [
    'volume',
    'volumeSnapshots.volumeId',
    (id) => [
      'query ($id: ID!) { volumeSnapshots(filter: { volumeId: $id }) { totalCount nodes { id } } }',
      { id },
    ],
  ],
  [
    'snapshot',
    'createVolume.snapshotId',
    (id) => [
      'mutation ($i: CreateVolumeInput!) { createVolume(input: $i) { volume { id } } }',
      { i: { name: 'planted', snapshotId: id } },
    ],
  ],
  ['vmSnapshot', 'vmSnapshot', (id) => ['query ($id: ID!) { vmSnapshot(id: $id) { id } }', { id }]],
  [
    'vmSnapshot',
    'deleteVmSnapshot',
    (id) => [
      'mutation ($i: DeleteVmSnapshotInput!) { deleteVmSnapshot(input: $i) { vmSnapshot { id } } }',
      { i: { id } },
    ],
  ],
  [
    'vm',
    'createVmSnapshot.vmId',
    (id) => [
      'mutation ($i: CreateVmSnapshotInput!) { createVmSnapshot(input: $i) { vmSnapshot { id } } }',
      { i: { vmId: id, name: 'planted' } },
    ],
  ],
  [
    'vm',
    'vmSnapshots.vmId',
    (id) => [
      'query ($id: ID!) { vmSnapshots(filter: { vmId: $id }) { totalCount nodes { id } } }',
      { id },
    ],
  ],
  ...(['vm', 'volume'] as const).flatMap((noun): ForeignIdCase[] => [
    [
      noun,
      `createSnapshotSchedule.${noun}Id`,
      (id) => [
        'mutation ($i: CreateSnapshotScheduleInput!) { createSnapshotSchedule(input: $i) { snapshotSchedule { id } } }',
        { i: { name: 'planted', cron: '0 0 1 1 *', keep: 1, [`${noun}Id`]: id } },
      ],
    ],
    [
      noun,
      `snapshotSchedules.${noun}Id`,
      (id) => [
        `query ($id: ID!) { snapshotSchedules(filter: { ${noun}Id: $id }) { totalCount nodes { id } } }`,
        { id },
      ],
    ],
  ]),
  [
    'schedule',
    'snapshotSchedule',
    (id) => ['query ($id: ID!) { snapshotSchedule(id: $id) { id } }', { id }],
  ],
  ...(
    [
      'updateSnapshotSchedule',
      'pauseSnapshotSchedule',
      'resumeSnapshotSchedule',
      'deleteSnapshotSchedule',
    ] as const
  ).map((name): ForeignIdCase => [
    'schedule',
    name,
    (id) => [
      `mutation ($i: ${name[0]?.toUpperCase()}${name.slice(1)}Input!) { ${name}(input: $i) { snapshotSchedule { id } } }`,
      { i: { id, ...(name === 'updateSnapshotSchedule' && { keep: 2 }) } },
    ],
  ]),
  ['vmSnapshot', 'cloneVmSnapshot.snapshotId', (id) => cloneOf(id)],
  [
    'securityGroup',
    'cloneVmSnapshot.securityGroupIds',
    (id) => cloneOf(own().vmSnapshot, { securityGroupIds: [id] }),
  ],
  [
    'network',
    'cloneVmSnapshot.networkIds',
    (id) => cloneOf(own().vmSnapshot, { networkIds: [id] }),
  ],
  ['vm', 'restoreVm.vmId', (id) => restoreOf(id, own().vmSnapshot)],
  ['vmSnapshot', 'restoreVm.snapshotId', (id) => restoreOf(own().vm, id)],
  [
    'volume',
    'createVm.dataVolumeId',
    (id) => newVm({ templateId: own().platformTemplate, dataVolumeId: id }),
  ],
  ['template', 'createVm.templateId', (id) => newVm({ templateId: id })],
  [
    'sshKey',
    'createVm.sshKeyIds',
    (id) => newVm({ templateId: own().platformTemplate, sshKeyIds: [id] }),
  ],
  [
    'securityGroup',
    'createVm.securityGroupIds',
    (id) => newVm({ templateId: own().platformTemplate, securityGroupIds: [id] }),
  ],
  [
    'network',
    'createVm.networkIds',
    (id) => newVm({ templateId: own().platformTemplate, networkIds: [id] }),
  ],
  ['vm', 'attachNetwork.vmId', (id) => rewired('attachNetwork', id, own().network)],
  ['network', 'attachNetwork.networkId', (id) => rewired('attachNetwork', own().vm, id)],
  ['vm', 'detachNetwork.vmId', (id) => rewired('detachNetwork', id, own().network)],
  ['network', 'detachNetwork.networkId', (id) => rewired('detachNetwork', own().vm, id)],
  ['vm', 'exposeVmSsh', vmVerb('exposeVmSsh')],
  ['vm', 'unexposeVmSsh', vmVerb('unexposeVmSsh')],
  ['vm', 'setVmSecurityGroups', (id) => groupsOf(id, own().rivalsGroup)],
  ['securityGroup', 'setVmSecurityGroups.securityGroupIds', (id) => groupsOf(own().vm, id)],
]
