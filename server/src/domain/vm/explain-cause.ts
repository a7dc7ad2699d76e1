import { type SeenReason } from './seen.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

/**
 * What a message of the cluster means, in words for a user. First match wins; a message that nobody
 * foresaw still gets an honest sentence.
 */
export interface Cause {
  cause: Message
  nextStep: Message
  whoCanFix: 'you' | 'operator' | 'nobody'
}

interface Row extends Cause {
  when: RegExp
}

const among = (rows: readonly Row[], said: SeenReason | null, otherwise: Cause): Cause => {
  const text = `${said?.reason ?? ''} ${said?.message ?? ''}`
  const { cause, nextStep, whoCanFix } = rows.find(({ when }) => when.test(text)) ?? otherwise
  return { cause, nextStep, whoCanFix }
}

const smaller = messageOf('vm.next.smaller')
const noOffer = {
  nextStep: messageOf('vm.next.other_offering'),
  whoCanFix: 'operator' as const,
}

export const unschedulable = (said: SeenReason | null): Cause =>
  among(
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
        ...noOffer,
      },
      {
        when: /Insufficient devices|Insufficient \S+\/\S+/,
        cause: messageOf('vm.cause.no_device'),
        ...noOffer,
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
        cause: messageOf('vm.cause.no_match'),
        ...noOffer,
      },
      {
        when: /taint|unschedulable/,
        cause: messageOf('vm.cause.hosts_closed'),
        nextStep: messageOf('vm.next.until_opened'),
        whoCanFix: 'operator',
      },
    ],
    said,
    {
      cause: messageOf('vm.cause.no_host'),
      nextStep: messageOf('vm.next.until_room'),
      whoCanFix: 'operator',
    },
  )

export const isAboutQuota = (said: SeenReason | null): boolean =>
  /exceeded quota|ErrExceededQuota|failed quota/.test(
    `${said?.reason ?? ''} ${said?.message ?? ''}`,
  )

const quotaStep = {
  nextStep: messageOf('vm.next.free_quota'),
  whoCanFix: 'you' as const,
}

export const quota = (said: SeenReason | null): Cause =>
  among(
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
    said,
    { cause: messageOf('vm.cause.quota'), ...quotaStep },
  )

const choose = {
  nextStep: messageOf('vm.next.other_template'),
  whoCanFix: 'you' as const,
}

const sourceRows: readonly Row[] = [
  {
    when: /x509|certificate|tls:/i,
    cause: messageOf('vm.cause.image_certificate'),
    ...choose,
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
    ...choose,
  },
  {
    when: /\b404\b|not found|manifest unknown|name unknown|no such image/i,
    cause: messageOf('vm.cause.image_missing'),
    ...choose,
  },
]

export const image = (said: SeenReason | null): Cause =>
  among(sourceRows, said, {
    cause: messageOf('vm.cause.image'),
    nextStep: messageOf('vm.next.retried_image'),
    whoCanFix: 'you',
  })

const larger = {
  nextStep: messageOf('vm.next.larger_disk'),
  whoCanFix: 'you' as const,
}

export const disk = (said: SeenReason | null): Cause =>
  among(
    [
      {
        when: /larger than|smaller than|A larger PVC/i,
        cause: messageOf('vm.cause.disk_small'),
        ...larger,
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
        ...choose,
      },
      {
        when: /unschedulable/i,
        cause: messageOf('vm.cause.disk_no_room'),
        ...noOffer,
      },
      ...sourceRows,
      {
        when: /format|qcow|invalid|unrecognized|not an? /i,
        cause: messageOf('vm.cause.disk_not_image'),
        ...choose,
      },
    ],
    said,
    {
      cause: messageOf('vm.cause.disk'),
      nextStep: messageOf('vm.next.check_image'),
      whoCanFix: 'you',
    },
  )
