import type { ResultOf } from '../../api/graphql.ts'
import type { overviewDocument } from '../../api/tenant/overview.ts'
import { t } from '../../words/t.ts'

interface Tile {
  label: string
  count: number | undefined
  /** What else is to be known of them. */
  detail?: string | null
  to?: string
  bad?: boolean
}

type Counts = ResultOf<typeof overviewDocument>
type SeenTile = Tile & { seen: boolean }
interface Sees {
  tenant: boolean
  vms: boolean
  volumes: boolean
  tenants: boolean
  users: boolean
}

/** The four counts that matter most to whoever looks; what the viewer may not see has none. */
export function tilesFrom(found: Counts | undefined, sees: Sees): Tile[] {
  const tiles: SeenTile[] = [
    ...ofTenant(found?.dashboard, sees),
    {
      label: t('Running operations'),
      count: found?.running.totalCount,
      to: '/operations?show=running',
      seen: true,
    },
    {
      label: t('Failed operations'),
      count: found?.failed.totalCount,
      to: '/operations?show=failed',
      bad: true,
      seen: true,
    },
    { label: t('Tenants'), count: found?.tenants?.totalCount, to: '/tenants', seen: sees.tenants },
    { label: t('Users'), count: found?.users?.totalCount, to: '/access', seen: sees.users },
  ]
  return tiles.filter(({ seen }) => seen).slice(0, 4)
}

function ofTenant(has: Counts['dashboard'], sees: Sees): SeenTile[] {
  const running = has?.vms ? t('{n} running', { n: has.vmsRunning }) : null
  return [
    {
      label: t('Machines'),
      count: has?.vms,
      detail: running,
      to: '/vms',
      seen: sees.tenant && sees.vms,
    },
    { label: t('Volumes'), count: has?.volumes, to: '/volumes', seen: sees.tenant && sees.volumes },
  ]
}
