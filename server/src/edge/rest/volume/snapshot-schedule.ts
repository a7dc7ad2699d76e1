import { NounRoutes } from '../../../engine/rest/noun-routes.ts'
import { ResponseShape, hidden } from '../../../engine/rest/response-shape.ts'
import { RequestBody, nameField } from '../../../engine/rest/request-body.ts'
import { type RestRoute } from '../../../engine/rest/route.ts'
import { scalar } from '../../../engine/rest/scalar.ts'
import { oneOf } from '../../../engine/rest/json-schema.ts'
import { explanationField } from '../explanation.ts'
import { idFilter, stateFilter, usualFilters } from '../list-filters.ts'

const { flag, id, text, time, whole } = scalar

const states = oneOf('active', 'paused', 'stopped')

const failure = new ResponseShape('SnapshotScheduleFailure', {
  code: text,
  message: text,
  at: time,
})

const cron = {
  ...text,
  description: 'Five fields: minute, hour, day of the month, month, day of the week.',
}
const timeZone = { ...text, description: 'A name such as Europe/Lisbon; UTC by default.' }
const keep = { ...whole, maximum: 100, description: 'How many of its snapshots are retained.' }
const acceptMissing = {
  ...flag,
  description: 'Take snapshots of a VM even when they cannot cover all disks.',
}

const schedule = new ResponseShape('SnapshotSchedule', {
  id,
  tenant_id: id,
  name: text,
  'volume_id?': id,
  'vm_id?': id,
  target_name: { ...text, description: 'The name of the volume or the VM.' },
  cron,
  time_zone: text,
  keep,
  accept_missing: flag,
  state: {
    ...states,
    description: 'Paused: by a user. Stopped: by the platform after too many failures in a row.',
  },
  'explanation?': explanationField,
  owner_id: id,
  owner_name: text,
  'next_run_at?': time,
  'last_due_at?': time,
  'last_run_at?': time,
  'last_snapshot_id?': id,
  failures_in_row: whole,
  'last_failure?': { schema: failure.schema, selection: failure.selection },
  version: hidden,
  created_at: time,
  updated_at: time,
})

const newSchedule = new RequestBody({
  name: nameField(),
  'volume_id?': { ...id, description: 'Either this or `vm_id` is set.' },
  'vm_id?': id,
  cron,
  'time_zone?': timeZone,
  keep,
  'accept_missing?': acceptMissing,
})

const scheduleChange = new RequestBody({
  'cron?': cron,
  'time_zone?': timeZone,
  'keep?': keep,
  'accept_missing?': acceptMissing,
})

const schedules = new NounRoutes({
  tag: 'Snapshot schedules',
  path: '/api/v1/snapshot-schedules',
  type: 'SnapshotSchedule',
  shape: schedule,
})

export const snapshotScheduleRoutes: RestRoute[] = [
  schedules.list('List the snapshot schedules of the tenant', {
    filters: {
      ...usualFilters,
      ...stateFilter(states),
      ...idFilter('volume_id', 'Only schedules of this volume.'),
      ...idFilter('vm_id', 'Only schedules of this VM.'),
    },
  }),
  schedules.get('Get a snapshot schedule'),
  schedules.create('Take snapshots of a volume or a VM regularly', { body: newSchedule }),
  schedules.update('Change a snapshot schedule', { body: scheduleChange }),
  schedules.delete('Delete a snapshot schedule; its snapshots remain'),
  schedules.act('Pause a snapshot schedule', '/pause', { mutation: 'PauseSnapshotSchedule' }),
  schedules.act('Resume a snapshot schedule; runs that were missed are not repeated', '/resume', {
    mutation: 'ResumeSnapshotSchedule',
  }),
]
