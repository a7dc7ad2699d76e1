import type { ResultOf } from '../../api/graphql.ts'
import type { overviewDocument } from '../../api/overview.ts'
import { t } from '../../words/t.ts'

interface Tile {
  label: string
  count: number | undefined
  to?: string
  bad?: boolean
}

/** The four counts that matter most to whoever looks; what the viewer may not see has none. */
export function tilesFrom(found: ResultOf<typeof overviewDocument> | undefined, sees: { tenants: boolean; users: boolean }): Tile[] {
  const tiles: (Tile & { seen: boolean })[] = [
    { label: t('Running operations'), count: found?.running.totalCount, to: '/operations?show=running', seen: true },
    { label: t('Failed operations'), count: found?.failed.totalCount, to: '/operations?show=failed', bad: true, seen: true },
    { label: t('Tenants'), count: found?.tenants?.totalCount, to: '/tenants', seen: sees.tenants },
    { label: t('Users'), count: found?.users?.totalCount, to: '/access', seen: sees.users },
    { label: t('API keys'), count: found?.apiKeys.totalCount, to: '/access?tab=keys', seen: true },
    { label: t('Service offerings'), count: found?.serviceOfferings?.totalCount, seen: true },
  ]
  return tiles.filter(({ seen }) => seen).slice(0, 4)
}
