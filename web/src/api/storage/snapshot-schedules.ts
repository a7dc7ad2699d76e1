import { type ResultOf, graphql } from '../graphql.ts'

const snapshotScheduleRow = graphql(`
  fragment SnapshotScheduleRow on SnapshotSchedule @_unmask {
    id
    name
    volumeId
    vmId
    targetName
    cron
    timeZone
    keep
    acceptMissing
    ownerName
    state
    nextRunAt
    lastRunAt
    lastSnapshotId
    createdAt
    explanation {
      code
      summary
      nextStep
      whoCanFix
    }
    refusals {
      delete
      pause
      resume
      update
    }
  }
`)

export type SnapshotScheduleRow = ResultOf<typeof snapshotScheduleRow>

export const snapshotScheduleDocuments = {
  list: graphql(
    `
      query SnapshotSchedules($first: Int!, $after: String, $filter: SnapshotScheduleFilter) {
        snapshotSchedules(first: $first, after: $after, filter: $filter) {
          totalCount
          pageInfo {
            endCursor
            hasNextPage
          }
          nodes {
            ...SnapshotScheduleRow
          }
        }
      }
    `,
    [snapshotScheduleRow],
  ),
  one: graphql(
    `
      query SnapshotSchedule($id: ID!) {
        snapshotSchedule(id: $id) {
          ...SnapshotScheduleRow
        }
      }
    `,
    [snapshotScheduleRow],
  ),
  times: graphql(`
    query SnapshotScheduleTimes($cron: String!, $timeZone: String!) {
      snapshotScheduleTimes(cron: $cron, timeZone: $timeZone)
    }
  `),
  create: graphql(
    `
      mutation CreateSnapshotSchedule($input: CreateSnapshotScheduleInput!) {
        createSnapshotSchedule(input: $input) {
          snapshotSchedule {
            ...SnapshotScheduleRow
          }
        }
      }
    `,
    [snapshotScheduleRow],
  ),
  update: graphql(
    `
      mutation UpdateSnapshotSchedule($input: UpdateSnapshotScheduleInput!) {
        updateSnapshotSchedule(input: $input) {
          snapshotSchedule {
            ...SnapshotScheduleRow
          }
        }
      }
    `,
    [snapshotScheduleRow],
  ),
  pause: graphql(
    `
      mutation PauseSnapshotSchedule($input: PauseSnapshotScheduleInput!) {
        pauseSnapshotSchedule(input: $input) {
          snapshotSchedule {
            ...SnapshotScheduleRow
          }
        }
      }
    `,
    [snapshotScheduleRow],
  ),
  resume: graphql(
    `
      mutation ResumeSnapshotSchedule($input: ResumeSnapshotScheduleInput!) {
        resumeSnapshotSchedule(input: $input) {
          snapshotSchedule {
            ...SnapshotScheduleRow
          }
        }
      }
    `,
    [snapshotScheduleRow],
  ),
  remove: graphql(
    `
      mutation DeleteSnapshotSchedule($input: DeleteSnapshotScheduleInput!) {
        deleteSnapshotSchedule(input: $input) {
          snapshotSchedule {
            ...SnapshotScheduleRow
          }
        }
      }
    `,
    [snapshotScheduleRow],
  ),
}
