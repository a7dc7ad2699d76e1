import { type RestRoute } from '../../../server/src/engine/rest/route.ts'
import { restRoutes } from '../../../server/src/compose/nouns.ts'

/** Objects of the caller's own tenant, for the fields of a route that a case does not test. */
interface Own {
  platformTemplate: string
  securityGroup: string
  user: string
  vmName: string
  vmSnapshot: string
  volume: string
}

/** A REST route and a field in it that could name an object of another tenant. */
export interface ForeignRow {
  name: string
  /** The noun of the named object; `vmName` for a VM that is named by its name. */
  noun: string
  ask: (named: string) => { method: string; path: string; body?: Record<string, unknown> }
}

/**
 * Path segments and fields that are not named after their noun; null for objects of the platform
 * that all tenants share. Any other name is derived from its noun: `ssh-keys`, `ssh_key_id`.
 */
const nounsByOtherName: Readonly<Record<string, string | null>> = {
  'api-keys': 'key',
  data_volume_id: 'volume',
  peer_group_id: 'securityGroup',
  'service-offerings': null,
  'snapshot-schedules': 'schedule',
  service_offering_id: null,
  target_id: null,
  'unmanaged-vms': 'unmanagedVmName',
  'vm-templates': 'template',
  vms: 'vmName',
}

const nounOf = (name: string): string | null =>
  name in nounsByOtherName
    ? (nounsByOtherName[name] ?? null)
    : name
        .replace(/s?$|_ids?$/, '')
        .replaceAll(/[_-](\w)/g, (_, letter: string) => letter.toUpperCase())

const isIdField = (name: string): boolean => /_ids?$/.test(name)

/** Returns a case for every field of every route. The test fails for a noun that it lacks. */
export function restCases(own: Own): ForeignRow[] {
  return restRoutes
    .filter(({ public: isPublic }) => !isPublic)
    .flatMap((row) => [...inPath(row, own), ...inBody(row, own), ...inQuery(row)])
}

function inPath(row: RestRoute, own: Own): ForeignRow[] {
  const [, , , first = '', second = ''] = row.path.split('/')
  return [...row.path.matchAll(/\{(\w+)\}/g)].flatMap(([placeholder, field = '']) => {
    const noun = nounOf(isIdField(field) ? field : first)
    const path = (named: string): string => filled(row.path.replace(placeholder, named), own)
    return noun === null
      ? []
      : [
          caseOf(row, { noun, at: `${second} ${field}` }, (named) => ({
            path: path(named),
            body: bodyOf(row, own),
          })),
        ]
  })
}

function inBody(row: RestRoute, own: Own): ForeignRow[] {
  const fields = Object.entries(row.request?.schema.properties ?? {})
  const ids = fields
    .filter(([name]) => isIdField(name) && hasEffect(row, name))
    .flatMap(([name, { type }]) => {
      const noun = nounOf(name)
      const value = (named: string): unknown => ([type].flat().includes('array') ? [named] : named)
      return noun === null ? [] : [{ noun, name, value }]
    })
  const ofRules = fields.some(([name]) => name === 'rules')
    ? [
        {
          noun: 'securityGroup',
          name: 'rules',
          value: (named: string) => [{ protocol: 'all', peer_group_id: named }],
        },
      ]
    : []
  const byName = Object.entries(nounsOfNames(row.path)).flatMap(([name, noun]) =>
    fields.some(([field]) => field === name)
      ? [{ noun, name, value: (named: string) => named }]
      : [],
  )
  return [...ids, ...ofRules, ...byName].map(({ noun, name, value }) =>
    caseOf(row, { noun, at: name }, (named) => ({
      path: filled(row.path, own),
      body: { ...bodyOf(row, own), [name]: value(named) },
    })),
  )
}

/** False for a field that older clients send and that no input has. */
const hasEffect = ({ request }: RestRoute, name: string): boolean =>
  request?.effective.includes(name) ?? false

/** The fields of a body that contain a name instead of an ID, with their noun. */
function nounsOfNames(path: string): Readonly<Record<string, string>> {
  if (/\/vms\/(start|stop|delete)$/.test(path)) return { name: 'vmName' }
  return /\/vm-snapshots\/(delete|restore)$/.test(path)
    ? { name: 'vmSnapshotName', vm_name: 'vmName' }
    : { vm_name: 'vmName' }
}

function inQuery(row: RestRoute): ForeignRow[] {
  return Object.keys(row.query ?? {})
    .filter(isIdField)
    .flatMap((name) => {
      const noun = nounOf(name)
      return noun === null
        ? []
        : [caseOf(row, { noun, at: name }, (named) => ({ path: `${row.path}?${name}=${named}` }))]
    })
}

const caseOf = (
  { method, path }: RestRoute,
  { noun, at }: { noun: string; at: string },
  ask: (named: string) => { path: string; body?: Record<string, unknown> | undefined },
): ForeignRow => ({
  name: `${method} ${path} ${at}`,
  noun,
  ask: (named) => {
    const { path: filledPath, body } = ask(named)
    return { method, path: filledPath, ...(body ? { body } : {}) }
  },
})

/** Fills the remaining placeholders of the path with the caller's own objects. */
function filled(path: string, { securityGroup, user, vmName, vmSnapshot, volume }: Own): string {
  const own: Readonly<Record<string, string>> = {
    'security-groups': securityGroup,
    users: user,
    'vm-snapshots': vmSnapshot,
    vms: vmName,
  }
  return path
    .replace('{volume_id}', volume)
    .replace(/\{\w+\}/, own[path.split('/')[3] ?? ''] ?? 'nothing')
}

/** The smallest body that passes validation up to the tested field. */
function bodyOf({ request }: RestRoute, own: Own): Record<string, unknown> | undefined {
  if (!request) return undefined
  const needed = [
    ...(request.schema.required ?? []),
    ...('template_id' in (request.schema.properties ?? {}) ? ['template_id'] : []),
  ]
  const sample: Readonly<Record<string, unknown>> = {
    template_id: own.platformTemplate,
    volume_id: own.volume,
    cron: '0 0 29 2 *',
    keep: 1,
    security_group_ids: [own.securityGroup],
    password: 'long enough',
    name: 'planted',
  }
  return Object.fromEntries(needed.map((name) => [name, sample[name] ?? 'planted']))
}
