interface Plan {
  lead: string
  will: readonly string[]
}

/** By route path: what the page is for and what it will hold. */
export const plans: Readonly<Record<string, Plan>> = {
  '/vms': {
    lead: 'Machines of this tenant, what they are doing and why.',
    will: [
      'Filter and sort ten thousand machines',
      'Deploy from a template, step by step',
      'Start, stop and delete many at once',
      'See each address and state as it changes',
    ],
  },
  '/vms/:name': {
    lead: 'One machine, from its state to its console.',
    will: [
      'Open the serial console and the screen',
      'Attach and detach networks and volumes',
      'Read the logs, boot by boot',
      'Take, restore and clone snapshots',
    ],
  },
  '/templates': {
    lead: 'What machines are made from.',
    will: [
      'Use the platform’s templates',
      'Import an ISO and watch it arrive',
      'Retry a failed import',
      'Change where an image comes from',
    ],
  },
  '/vpcs': {
    lead: 'Address space that belongs to you alone.',
    will: ['See the space as a map of blocks', 'Pick a free block by clicking it', 'Split it into networks', 'Find who holds an address'],
  },
  '/networks': {
    lead: 'Where machines meet.',
    will: ['Plan a network inside a VPC', 'List every address in use', 'See which machines are attached', 'Delete what nothing uses'],
  },
  '/networks/public': {
    lead: 'The way to the outside, shared by all tenants.',
    will: ['See whether it is switched on, and how', 'See how much of the pool is used', 'Read how to change it'],
  },
  '/volumes': {
    lead: 'Disks that outlive the machines they serve.',
    will: ['Create and resize disks', 'Attach them to a running machine', 'See where each one is', 'Take a snapshot of one'],
  },
  '/snapshots': {
    lead: 'A volume as it was at one moment.',
    will: ['See whether a snapshot can be used yet', 'Restore it to a new volume', 'Delete what is no longer needed'],
  },
  '/vm-snapshots': {
    lead: 'A whole machine as it was at one moment.',
    will: ['See which disks are covered', 'Restore a machine in place', 'Clone a new machine from it'],
  },
  '/security-groups': {
    lead: 'Who may talk to a machine.',
    will: ['Write rules that are checked as you type', 'See which machines a group protects', 'Change rules while machines run'],
  },
  '/ssh-keys': {
    lead: 'Keys that new machines let in.',
    will: ['Add a public key and see its fingerprint', 'See which machines were given it', 'Remove it'],
  },
}
