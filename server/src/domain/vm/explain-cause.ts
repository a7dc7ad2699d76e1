import { type SeenReason } from './seen.ts'

/**
 * What a message of the cluster means, in words for a user. First match wins; a message that nobody
 * foresaw still gets an honest sentence.
 */
export interface Cause {
  cause: string
  nextStep: string
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

const smaller = 'Choose a smaller size, stop other VMs, or ask the operator for more room.'
const noOffer = {
  nextStep: 'Ask the operator, or choose another service offering.',
  whoCanFix: 'operator' as const,
}

export const unschedulable = (said: SeenReason | null): Cause =>
  among(
    [
      {
        when: /Insufficient memory/,
        cause: 'No machine has enough free memory for it.',
        nextStep: smaller,
        whoCanFix: 'you',
      },
      {
        when: /Insufficient cpu/,
        cause: 'No machine has enough free CPU for it.',
        nextStep: smaller,
        whoCanFix: 'you',
      },
      {
        when: /Insufficient ephemeral-storage/,
        cause: 'No machine has enough free scratch space for it.',
        ...noOffer,
      },
      {
        when: /Insufficient devices|Insufficient \S+\/\S+/,
        cause: 'No machine has the device that it needs.',
        ...noOffer,
      },
      {
        when: /Too many pods/,
        cause: 'All machines hold as many VMs as they can.',
        nextStep: smaller,
        whoCanFix: 'operator',
      },
      {
        when: /volume|PersistentVolumeClaim/i,
        cause: 'Its storage is not ready, or cannot be reached from any machine with room for it.',
        nextStep: 'Wait a few minutes. If it stays so, tell the operator.',
        whoCanFix: 'operator',
      },
      {
        when: /affinity|selector|topology/,
        cause: 'No machine fulfils what the VM asks of its host.',
        ...noOffer,
      },
      {
        when: /taint|unschedulable/,
        cause: 'All machines are closed for new VMs, for example for maintenance.',
        nextStep: 'Wait until the operator opens them again; the VM then starts by itself.',
        whoCanFix: 'operator',
      },
    ],
    said,
    {
      cause: 'No machine can take it.',
      nextStep: 'Wait a few minutes: it starts by itself once there is room.',
      whoCanFix: 'operator',
    },
  )

export const isAboutQuota = (said: SeenReason | null): boolean =>
  /exceeded quota|ErrExceededQuota|failed quota/.test(
    `${said?.reason ?? ''} ${said?.message ?? ''}`,
  )

const quotaStep = {
  nextStep: 'Delete or stop what you do not need, or ask the operator for a higher limit.',
  whoCanFix: 'you' as const,
}

export const quota = (said: SeenReason | null): Cause =>
  among(
    [
      { when: /requested: \S*memory/, cause: 'Your tenant may use no more memory.', ...quotaStep },
      { when: /requested: \S*cpu/, cause: 'Your tenant may use no more CPU.', ...quotaStep },
      {
        when: /requested: \S*storage/,
        cause: 'Your tenant may use no more storage.',
        ...quotaStep,
      },
      {
        when: /requested: \S*persistentvolumeclaims/,
        cause: 'Your tenant may have no more volumes.',
        ...quotaStep,
      },
      {
        when: /requested: \S*(pods|virtualmachine)/,
        cause: 'Your tenant may run no more VMs.',
        ...quotaStep,
      },
    ],
    said,
    { cause: 'Your tenant has used up what it may use.', ...quotaStep },
  )

const choose = {
  nextStep: 'Choose another template, or have this one corrected.',
  whoCanFix: 'you' as const,
}

const sourceRows: readonly Row[] = [
  {
    when: /x509|certificate|tls:/i,
    cause: 'The server of the image cannot prove who it is.',
    ...choose,
  },
  {
    when: /no such host|connection refused|unreachable|time(d )?out|dial tcp|EOF|reset by peer/i,
    cause: 'The server of the image cannot be reached.',
    nextStep:
      'It is tried again by itself. If it stays so, check the address of the image in the template.',
    whoCanFix: 'you',
  },
  {
    when: /\b40[13]\b|unauthorized|denied|authentication required/i,
    cause: 'The server of the image does not hand it out without a permission.',
    ...choose,
  },
  {
    when: /\b404\b|not found|manifest unknown|name unknown|no such image/i,
    cause: 'There is no image at the given address.',
    ...choose,
  },
]

export const image = (said: SeenReason | null): Cause =>
  among(sourceRows, said, {
    cause: 'The image does not exist at the given address, or its server does not hand it out.',
    nextStep: 'It is tried again by itself. Check the address of the image in the template.',
    whoCanFix: 'you',
  })

const larger = {
  nextStep: 'Delete the VM and deploy it again with a larger disk.',
  whoCanFix: 'you' as const,
}

export const disk = (said: SeenReason | null): Cause =>
  among(
    [
      {
        when: /larger than|smaller than|A larger PVC/i,
        cause: 'The disk is smaller than what should go onto it.',
        ...larger,
      },
      {
        when: /no space left|insufficient space/i,
        cause: 'The storage of the platform is full.',
        nextStep: 'Ask the operator to make room; it is then tried again by itself.',
        whoCanFix: 'operator',
      },
      {
        when: /ErrClaimNotValid|storageClass|accessMode/i,
        cause: 'The kind of storage that was chosen does not exist here, or cannot hold disks.',
        nextStep: 'Delete the VM and deploy it again on another kind of storage.',
        whoCanFix: 'you',
      },
      {
        when: /checksum/i,
        cause: 'The image is not the one that was expected: its checksum differs.',
        ...choose,
      },
      {
        when: /unschedulable/i,
        cause: 'There is no room to fill the disk at the moment.',
        ...noOffer,
      },
      ...sourceRows,
      {
        when: /format|qcow|invalid|unrecognized|not an? /i,
        cause: 'What is at the given address is not an image of a disk.',
        ...choose,
      },
    ],
    said,
    {
      cause: 'Filling the disk broke off and is tried again by itself.',
      nextStep: 'Wait a few minutes. If it stays so, check the image of the template.',
      whoCanFix: 'you',
    },
  )
