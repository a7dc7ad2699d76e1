import { type JsonMap } from '../../objects/types.ts'

/** The API group of virt-api. It stores nothing, so the registry has no row for it. */
export const aggregatedGroup = 'subresources.kubevirt.io'
export const aggregatedVersions: readonly string[] = ['v1', 'v1alpha3']

const vms = 'virtualmachines'
const vmis = 'virtualmachineinstances'

/** In virt-api's order. Like virt-api, this list omits some subresources that are served. */
const listed: readonly (readonly [plural: string, ...subresources: string[]])[] = [
  ['expand-vm-spec', ''],
  [
    vmis,
    'vnc',
    'vnc/screenshot',
    'console',
    'portforward',
    'backup',
    'redefine-checkpoint',
    'pause',
    'unpause',
  ],
  [vmis, 'freeze', 'unfreeze', 'reset', 'softreboot'],
  [vms, 'start', 'stop', 'restart', 'migrate', 'expand-spec', 'objectgraph', 'evacuate/cancel'],
  [vmis, 'guestosinfo', 'userlist', 'filesystemlist', 'addvolume', 'removevolume', 'objectgraph'],
  [
    vmis,
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

/** The same list in the format of aggregated discovery. */
export function aggregatedResources(): JsonMap[] {
  return ['expand-vm-spec', vmis, vms].map((resource) => {
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
