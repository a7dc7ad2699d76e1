import type { ResultOf } from '../../api/graphql.ts'
import type { overviewDocument } from '../../api/tenant/overview.ts'
import { t } from '../../i18n/t.ts'

interface Tile {
  label: string
  count: number | undefined
  /** A further count, shown beside the first. */
  detail?: string | null
  to?: string
  bad?: boolean
}

type Counts = ResultOf<typeof overviewDocument>
type VisibleTile = Tile & { isVisible: boolean }
interface Visibility {
  tenant: boolean
  vms: boolean
  volumes: boolean
  tenants: boolean
  users: boolean
}

/** Returns the four most important counts among those that the viewer may see. */
export function tilesFrom(found: Counts | undefined, sees: Visibility): Tile[] {
  const tiles: VisibleTile[] = [
    ...ofTenant(found?.dashboard, sees),
    {
      label: t('Running operations'),
      count: found?.running.totalCount,
      to: '/operations?show=running',
      isVisible: true,
    },
    {
      label: t('Failed operations'),
      count: found?.failed.totalCount,
      to: '/operations?show=failed',
      bad: true,
      isVisible: true,
    },
    {
      label: t('Tenants'),
      count: found?.tenants?.totalCount,
      to: '/tenants',
      isVisible: sees.tenants,
    },
    { label: t('Users'), count: found?.users?.totalCount, to: '/access', isVisible: sees.users },
  ]
  return tiles.filter(({ isVisible }) => isVisible).slice(0, 4)
}

function ofTenant(has: Counts['dashboard'], sees: Visibility): VisibleTile[] {
  const running = has?.vms ? t('{n} running', { n: has.vmsRunning }) : null
  return [
    {
      label: t('VMs'),
      count: has?.vms,
      detail: running,
      to: '/vms',
      isVisible: sees.tenant && sees.vms,
    },
    {
      label: t('Volumes'),
      count: has?.volumes,
      to: '/volumes',
      isVisible: sees.tenant && sees.volumes,
    },
  ]
}
