import { type ObservedReason } from './observed.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

/**
 * The meaning of a cluster message, for users. The first matching row wins; an unknown message gets
 * a general sentence.
 */
export interface Cause {
  cause: Message
  nextStep: Message
  whoCanFix: 'you' | 'operator' | 'nobody'
}

interface Row extends Cause {
  when: RegExp
}

const firstMatch = (
  rows: readonly Row[],
  observed: ObservedReason | null,
  otherwise: Cause,
): Cause => {
  const text = `${observed?.reason ?? ''} ${observed?.message ?? ''}`
  const { cause, nextStep, whoCanFix } = rows.find(({ when }) => when.test(text)) ?? otherwise
  return { cause, nextStep, whoCanFix }
}

const smaller = messageOf('vm.next.smaller')
const otherOffering = {
  nextStep: messageOf('vm.next.other_offering'),
  whoCanFix: 'operator' as const,
}

const noMatch: Cause = { cause: messageOf('vm.cause.no_match'), ...otherOffering }
/** KubeVirt selects the nodes for dedicated CPUs by a label, which no message of it names. */
const noDedicatedCpu: Cause = {
  cause: messageOf('vm.cause.no_dedicated_cpu'),
  nextStep: messageOf('vm.next.shared_cpu'),
  whoCanFix: 'you',
}

/** Explains why no node can run the VM. */
export const unschedulable = (
  observed: ObservedReason | null,
  { dedicatedCpu }: { dedicatedCpu: boolean },
): Cause =>
  firstMatch(
    [
      {
        when: /Insufficient memory/,
        cause: messageOf('vm.cause.no_memory'),
        nextStep: smaller,
        whoCanFix: 'you',
      },
      {
        when: /Insufficient cpu/,
        cause: messageOf('vm.cause.no_cpu'),
        nextStep: smaller,
        whoCanFix: 'you',
      },
      {
        when: /Insufficient ephemeral-storage/,
        cause: messageOf('vm.cause.no_scratch'),
        ...otherOffering,
      },
      {
        when: /Insufficient devices|Insufficient \S+\/\S+/,
        cause: messageOf('vm.cause.no_device'),
        ...otherOffering,
      },
      {
        when: /Too many pods/,
        cause: messageOf('vm.cause.hosts_full'),
        nextStep: smaller,
        whoCanFix: 'operator',
      },
      {
        when: /volume|PersistentVolumeClaim/i,
        cause: messageOf('vm.cause.storage_unready'),
        nextStep: messageOf('vm.next.tell_operator'),
        whoCanFix: 'operator',
      },
      {
        when: /affinity|selector|topology/,
        ...(dedicatedCpu ? noDedicatedCpu : noMatch),
      },
      {
        when: /taint|unschedulable/,
        cause: messageOf('vm.cause.hosts_closed'),
        nextStep: messageOf('vm.next.until_opened'),
        whoCanFix: 'operator',
      },
    ],
    observed,
    {
      cause: messageOf('vm.cause.no_host'),
      nextStep: messageOf('vm.next.until_room'),
      whoCanFix: 'operator',
    },
  )

export const isQuotaExceeded = (observed: ObservedReason | null): boolean =>
  /exceeded quota|ErrExceededQuota|failed quota/.test(
    `${observed?.reason ?? ''} ${observed?.message ?? ''}`,
  )

const quotaStep = {
  nextStep: messageOf('vm.next.free_quota'),
  whoCanFix: 'you' as const,
}

/** Explains which limit of the namespace the VM exceeds. */
export const quota = (observed: ObservedReason | null): Cause =>
  firstMatch(
    [
      { when: /requested: \S*memory/, cause: messageOf('vm.cause.quota_memory'), ...quotaStep },
      { when: /requested: \S*cpu/, cause: messageOf('vm.cause.quota_cpu'), ...quotaStep },
      {
        when: /requested: \S*storage/,
        cause: messageOf('vm.cause.quota_storage'),
        ...quotaStep,
      },
      {
        when: /requested: \S*persistentvolumeclaims/,
        cause: messageOf('vm.cause.quota_volumes'),
        ...quotaStep,
      },
      {
        when: /requested: \S*(pods|virtualmachine)/,
        cause: messageOf('vm.cause.quota_vms'),
        ...quotaStep,
      },
    ],
    observed,
    { cause: messageOf('vm.cause.quota'), ...quotaStep },
  )

const otherTemplate = {
  nextStep: messageOf('vm.next.other_template'),
  whoCanFix: 'you' as const,
}

const sourceRows: readonly Row[] = [
  {
    when: /x509|certificate|tls:/i,
    cause: messageOf('vm.cause.image_certificate'),
    ...otherTemplate,
  },
  {
    when: /no such host|connection refused|unreachable|time(d )?out|dial tcp|EOF|reset by peer/i,
    cause: messageOf('vm.cause.image_server'),
    nextStep: messageOf('vm.next.retried_address'),
    whoCanFix: 'you',
  },
  {
    when: /\b40[13]\b|unauthorized|denied|authentication required/i,
    cause: messageOf('vm.cause.image_forbidden'),
    ...otherTemplate,
  },
  {
    when: /\b404\b|not found|manifest unknown|name unknown|no such image/i,
    cause: messageOf('vm.cause.image_missing'),
    ...otherTemplate,
  },
]

/** Explains why the image of a container disk cannot be pulled. */
export const image = (observed: ObservedReason | null): Cause =>
  firstMatch(sourceRows, observed, {
    cause: messageOf('vm.cause.image'),
    nextStep: messageOf('vm.next.retried_image'),
    whoCanFix: 'you',
  })

const largerDisk = {
  nextStep: messageOf('vm.next.larger_disk'),
  whoCanFix: 'you' as const,
}

/** Explains why CDI cannot fill a disk of the VM. */
export const disk = (observed: ObservedReason | null): Cause =>
  firstMatch(
    [
      {
        when: /larger than|smaller than|A larger PVC/i,
        cause: messageOf('vm.cause.disk_small'),
        ...largerDisk,
      },
      {
        when: /no space left|insufficient space/i,
        cause: messageOf('vm.cause.disk_storage_full'),
        nextStep: messageOf('vm.next.make_room'),
        whoCanFix: 'operator',
      },
      {
        when: /ErrClaimNotValid|storageClass|accessMode/i,
        cause: messageOf('vm.cause.disk_class'),
        nextStep: messageOf('vm.next.other_storage'),
        whoCanFix: 'you',
      },
      {
        when: /checksum/i,
        cause: messageOf('vm.cause.disk_checksum'),
        ...otherTemplate,
      },
      {
        when: /unschedulable/i,
        cause: messageOf('vm.cause.disk_no_room'),
        ...otherOffering,
      },
      ...sourceRows,
      {
        when: /format|qcow|invalid|unrecognized|not an? /i,
        cause: messageOf('vm.cause.disk_not_image'),
        ...otherTemplate,
      },
    ],
    observed,
    {
      cause: messageOf('vm.cause.disk'),
      nextStep: messageOf('vm.next.check_image'),
      whoCanFix: 'you',
    },
  )
