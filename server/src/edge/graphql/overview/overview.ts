import { Arg, Ctx, Query, Resolver } from 'type-graphql'
import { healthOf } from '../../../domain/dashboard/dashboard.ts'
import { may } from '../../../engine/model/viewer.ts'
import { notificationOf } from '../../../domain/notification/notification.ts'
import {
  type SearchResult,
  searchPermissions,
  foundKinds,
  searchTerm,
} from '../../../domain/search/search.ts'
import { type FieldContext } from '../context.ts'
import { needs } from '../../../engine/graphql/needs.ts'
import { Dashboard, Notification, SearchHit } from './overview-types.ts'

const maxRecentVms = 8

@Resolver()
export class OverviewResolver {
  @needs('any')
  @Query(() => Dashboard, {
    description: 'Counts of the objects of the tenant, and the VMs that changed last.',
  })
  async dashboard(@Ctx() { reads, viewer }: FieldContext) {
    const { overview } = reads
    const [counts, recentVms] = await Promise.all([
      overview.counts(),
      may(viewer, 'vms:read') ? overview.recentVms(maxRecentVms) : [],
    ])
    return { ...counts, health: healthOf(counts), recentVms }
  }

  @needs('any')
  @Query(() => [SearchHit], {
    description:
      'Searches names and addresses of objects that the caller may read. The text needs at least two characters; at most 20 hits are returned.',
  })
  search(
    @Ctx() { reads, viewer }: FieldContext,
    @Arg('text', () => String, {
      description: 'The text to search for. Fewer than two characters find nothing.',
    })
    text: string,
  ): Promise<SearchResult[]> {
    const searched = searchTerm(text)
    const kinds = foundKinds.filter((kind) => may(viewer, searchPermissions[kind]))
    return searched === null || kinds.length === 0
      ? Promise.resolve([])
      : reads.overview.search(searched, kinds)
  }

  @needs('any')
  @Query(() => [Notification], {
    description:
      'VMs that have failed, then VMs that are starting or stopping. Empty when the caller may not read VMs.',
  })
  async notifications(@Ctx() { reads, viewer }: FieldContext) {
    return may(viewer, 'vms:read')
      ? (await reads.overview.vmsNeedingAttention()).map(notificationOf)
      : []
  }
}
