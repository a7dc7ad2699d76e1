import { type JsonMap } from '../../objects/types.ts'

/** The group of virt-api: it stores nothing, so no row of the registry speaks for it. */
export const aggregatedGroup = 'subresources.kubevirt.io'
export const aggregatedVersions: readonly string[] = ['v1', 'v1alpha3']

const machines = 'virtualmachines'
const instances = 'virtualmachineinstances'

/** In the order in which virt-api lists them, which leaves out some that it serves. */
const listed: readonly (readonly [plural: string, ...subresources: string[]])[] = [
  ['expand-vm-spec', ''],
  [
    instances,
    'vnc',
    'vnc/screenshot',
    'console',
    'portforward',
    'backup',
    'redefine-checkpoint',
    'pause',
    'unpause',
  ],
  [instances, 'freeze', 'unfreeze', 'reset', 'softreboot'],
  [
    machines,
    'start',
    'stop',
    'restart',
    'migrate',
    'expand-spec',
    'objectgraph',
    'evacuate/cancel',
  ],
  [
    instances,
    'guestosinfo',
    'userlist',
    'filesystemlist',
    'addvolume',
    'removevolume',
    'objectgraph',
  ],
  [
    instances,
    'sev/fetchcertchain',
    'sev/querylaunchmeasurement',
    'sev/setupsession',
    'sev/injectlaunchsecret',
    'evacuate/cancel',
  ],
]

export const aggregatedEntries = (): JsonMap[] =>
  listed.flatMap(([plural, ...subresources]) =>
    subresources.map((each) => ({
      name: each === '' ? plural : `${plural}/${each}`,
      singularName: '',
      namespaced: true,
      kind: '',
      verbs: null,
    })),
  )

const noKind = { group: '', version: '', kind: '' }

/** The same, as aggregated discovery tells it. */
export function aggregatedResources(): JsonMap[] {
  return ['expand-vm-spec', instances, machines].map((resource) => {
    const names = listed
      .flatMap(([plural, ...each]) => (plural === resource ? each : []))
      .filter((each) => each !== '')
    const subresources = names.map((subresource) => ({
      subresource,
      responseKind: noKind,
      verbs: null,
    }))
    return {
      resource,
      responseKind: noKind,
      scope: 'Namespaced',
      singularResource: '',
      verbs: null,
      ...(names.length > 0 ? { subresources } : {}),
    }
  })
}
