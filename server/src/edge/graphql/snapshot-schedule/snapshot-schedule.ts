import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql'
import { nextDueTime, upcomingTimes } from '../../../domain/snapshot-schedule/due.ts'
import { type ScheduleExplanation, explain } from '../../../domain/snapshot-schedule/explain.ts'
import { type ScheduleAction, scheduleRefusal } from '../../../domain/snapshot-schedule/refusals.ts'
import { createSnapshotSchedule } from '../../../usecases/snapshot-schedule/create-snapshot-schedule.ts'
import { deleteSnapshotSchedule } from '../../../usecases/snapshot-schedule/delete-snapshot-schedule.ts'
import {
  pauseSnapshotSchedule,
  resumeSnapshotSchedule,
} from '../../../usecases/snapshot-schedule/pause-snapshot-schedule.ts'
import { updateSnapshotSchedule } from '../../../usecases/snapshot-schedule/update-snapshot-schedule.ts'
import { type FieldContext, type GraphRequest } from '../context.ts'
import { batchRead } from '../batch-read.ts'
import { sameAccessAsObject, needs } from '../../../engine/graphql/needs.ts'
import { sortOf } from '../../../engine/graphql/order.ts'
import { Node } from '../../../engine/graphql/node.ts'
import { findNode } from '../node/find-object.ts'
import { PageArgs } from '../../../engine/graphql/page-args.ts'
import { DateTime } from '../../../engine/graphql/scalars.ts'
import {
  CreateSnapshotScheduleInput,
  DeleteSnapshotScheduleInput,
  PauseSnapshotScheduleInput,
  ResumeSnapshotScheduleInput,
  SnapshotScheduleFilter,
  SnapshotScheduleOrder,
  UpdateSnapshotScheduleInput,
  cronDescription,
  timeZoneDescription,
} from './snapshot-schedule-inputs.ts'
import {
  CreateSnapshotSchedulePayload,
  DeleteSnapshotSchedulePayload,
  PauseSnapshotSchedulePayload,
  ResumeSnapshotSchedulePayload,
  SnapshotSchedule,
  SnapshotScheduleConnection,
  SnapshotScheduleExplanation,
  SnapshotScheduleRefusals,
  UpdateSnapshotSchedulePayload,
} from './snapshot-schedule-types.ts'
import { boundsOf } from '../volume/volume.ts'
import { type Message } from '../../../engine/model/message.ts'
import { itsTenant, relatedObjects } from '../node/related-objects.ts'
import { type SnapshotScheduleView } from '../../../domain/snapshot-schedule/snapshot-schedule.ts'

@Resolver(() => SnapshotSchedule)
export class SnapshotScheduleResolver {
  @needs('vms:read', 'volumes:read')
  @Query(() => SnapshotSchedule, {
    nullable: true,
    description: 'Finds a snapshot schedule by its id; null when there is none.',
  })
  snapshotSchedule(@Ctx() { reads }: FieldContext, @Arg('id', () => ID) id: string) {
    return reads.snapshotSchedules.find(id)
  }

  @needs('vms:read', 'volumes:read')
  @Query(() => SnapshotScheduleConnection, { description: 'The snapshot schedules of the tenant.' })
  snapshotSchedules(
    @Ctx() { reads, pageOf }: FieldContext,
    @Args(() => PageArgs) args: PageArgs,
    @Arg('filter', () => SnapshotScheduleFilter, { nullable: true })
    filter?: SnapshotScheduleFilter,
    @Arg('orderBy', () => SnapshotScheduleOrder, { nullable: true })
    orderBy?: SnapshotScheduleOrder,
  ) {
    return SnapshotScheduleConnection.read(reads.snapshotSchedules, {
      query: { ...filter, ...sortOf(orderBy, 'name') },
      page: pageOf(args),
    })
  }

  @needs('vms:read', 'volumes:read')
  @Query(() => [DateTime], {
    description:
      'The next three times at which such a schedule would run. Empty when it would never run.',
  })
  snapshotScheduleTimes(
    @Ctx() { clock }: FieldContext,
    @Arg('cron', () => String, { description: cronDescription }) cron: string,
    @Arg('timeZone', () => String, { description: timeZoneDescription }) timeZone: string,
  ): string[] {
    return upcomingTimes({ cron, timeZone }, clock.now().getTime(), 3).map((timeMs) =>
      new Date(timeMs).toISOString(),
    )
  }

  @sameAccessAsObject()
  @FieldResolver(() => Node, {
    nullable: true,
    description:
      'The last snapshot that the schedule requested, of a volume or of a VM. Null when it does not exist any more.',
  })
  lastSnapshot(
    @Ctx() request: GraphRequest,
    @Root() { lastSnapshotId, vmId }: SnapshotSchedule,
  ): Promise<object | null> {
    return findNode(request, vmId === null ? 'volume_snapshot' : 'vm_snapshot', lastSnapshotId)
  }

  @sameAccessAsObject()
  @FieldResolver(() => DateTime, {
    nullable: true,
    description: 'When the next snapshot is due; null while the schedule is not active.',
  })
  nextRunAt(@Root() schedule: SnapshotSchedule): string | null {
    const dueMs = schedule.state === 'active' ? nextDueTime(schedule) : null
    return dueMs === null ? null : new Date(dueMs).toISOString()
  }

  @sameAccessAsObject()
  @FieldResolver(() => SnapshotScheduleExplanation, {
    nullable: true,
    description: 'Why the schedule takes no snapshots. Null when it does.',
  })
  explanation(@Root() schedule: SnapshotSchedule): ScheduleExplanation | null {
    return explain(schedule)
  }

  @sameAccessAsObject()
  @FieldResolver(() => SnapshotScheduleRefusals)
  refusals(@Root() schedule: SnapshotSchedule): SnapshotScheduleRefusals {
    const why = (action: ScheduleAction): Message | null =>
      scheduleRefusal(action, schedule)?.userMessage ?? null
    return {
      pause: why('pause'),
      resume: why('resume'),
      update: why('update'),
      delete: why('delete'),
    }
  }

  @needs('vms:write', 'volumes:write')
  @Mutation(() => CreateSnapshotSchedulePayload, {
    description: 'Creates a schedule that takes snapshots of one volume or one VM.',
  })
  createSnapshotSchedule(
    @Ctx() { write, berth }: FieldContext,
    @Arg('input', () => CreateSnapshotScheduleInput) input: CreateSnapshotScheduleInput,
  ) {
    return write((op) => createSnapshotSchedule(op, input, boundsOf(berth)))
  }

  @needs('vms:write', 'volumes:write')
  @Mutation(() => UpdateSnapshotSchedulePayload, {
    description: 'Changes a schedule. Surplus snapshots are deleted when the next one is ready.',
  })
  updateSnapshotSchedule(
    @Ctx() { write, berth }: FieldContext,
    @Arg('input', () => UpdateSnapshotScheduleInput) input: UpdateSnapshotScheduleInput,
  ) {
    return write((op) => updateSnapshotSchedule(op, input, boundsOf(berth)))
  }

  @needs('vms:write', 'volumes:write')
  @Mutation(() => PauseSnapshotSchedulePayload, {
    description:
      'Pauses an active schedule until it is resumed. A snapshot that is being taken is finished.',
  })
  pauseSnapshotSchedule(
    @Ctx() { write }: FieldContext,
    @Arg('input', () => PauseSnapshotScheduleInput) input: PauseSnapshotScheduleInput,
  ) {
    return write((op) => pauseSnapshotSchedule(op, input))
  }

  @needs('vms:write', 'volumes:write')
  @Mutation(() => ResumeSnapshotSchedulePayload, {
    description:
      'Runs the schedule again from now on. Runs that were missed while it was paused are not repeated.',
  })
  resumeSnapshotSchedule(
    @Ctx() { write }: FieldContext,
    @Arg('input', () => ResumeSnapshotScheduleInput) input: ResumeSnapshotScheduleInput,
  ) {
    return write((op) => resumeSnapshotSchedule(op, input))
  }

  @needs('vms:write', 'volumes:write')
  @Mutation(() => DeleteSnapshotSchedulePayload, {
    description: 'Deletes the schedule. Its snapshots remain.',
  })
  deleteSnapshotSchedule(
    @Ctx() { write }: FieldContext,
    @Arg('input', () => DeleteSnapshotScheduleInput) input: DeleteSnapshotScheduleInput,
  ) {
    return write((op) => deleteSnapshotSchedule(op, input))
  }
}

/** A caller who may see a VM or volume may see the schedules that end with it. */
export const schedulesOf = batchRead(async ({ berth }, ids) =>
  Map.groupBy(await berth.reads('platform').snapshotSchedules.of(ids), ({ targetId }) => targetId),
)

export const SnapshotScheduleObjectsResolver = relatedObjects<SnapshotScheduleView>(
  SnapshotSchedule,
  {
    ...itsTenant,
    volume: {
      kind: 'volume',
      id: 'volumeId',
      description: 'The volume of which the schedule takes snapshots.',
    },
    vm: { kind: 'vm', id: 'vmId', description: 'The VM of which the schedule takes snapshots.' },
    owner: { kind: 'user', id: 'ownerId', description: 'The user who created the schedule.' },
  },
)
