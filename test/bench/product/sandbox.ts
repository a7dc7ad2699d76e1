import { join } from 'node:path'
import { type RunningSandbox, startSandboxProcess } from '../../support/sandbox/sandbox.ts'
import { percentile } from '../numbers.ts'
import { type Bench, type Row } from '../row.ts'

const namespaces = 200
const perNamespace = 50
const writers = 32
const pageSize = 500

/**
 * Measures how fast the sandbox creates and lists the VMs of a cluster as large as a platform team
 * would attach: 10,000 stopped VMs.
 */
export const sandboxPages: Bench = {
  name: 'sandbox page of 500 VMs',
  async run(world) {
    const folder = join(world.folder, 'sandbox')
    const sandbox = await startSandboxProcess(folder)
    try {
      const started = performance.now()
      await fill(sandbox)
      const filledS = (performance.now() - started) / 1_000
      const times = await pages(sandbox, world.options.quick ? 3 : 10)
      const row: Row = {
        name: 'sandbox: page of 500 of 10,000 VMs, p99',
        berth: { p50Ms: percentile(times, 0.5), p99Ms: percentile(times, 0.99) },
        value: percentile(times, 0.99),
        spread: [percentile(times, 0), percentile(times, 1)],
        unit: 'ms',
        target: { atMost: 50 },
      }
      return [
        row,
        {
          name: 'sandbox: creation of 10,000 VMs',
          berth: { perSecond: (namespaces * perNamespace) / filledS },
          value: filledS,
          unit: 's',
        },
      ]
    } finally {
      await sandbox.stop()
    }
  },
}

async function fill(sandbox: RunningSandbox): Promise<void> {
  const names = Array.from({ length: namespaces }, (_, index) => `tenant-${index}`)
  await inTurns(names, async (name) => {
    await created(sandbox, '/api/v1/namespaces', { metadata: { name } })
    for (let index = 0; index < perNamespace; index += 1) {
      await created(
        sandbox,
        `/apis/kubevirt.io/v1/namespaces/${name}/virtualmachines`,
        virtualMachine(`vm-${index}`),
      )
    }
  })
}

async function created(sandbox: RunningSandbox, path: string, body: object): Promise<void> {
  const { status, text } = await sandbox.call(path, { method: 'POST', body })
  if (status !== 201) throw new TypeError(`${path} answered ${status}: ${text.slice(0, 300)}`)
}

async function inTurns<T>(all: readonly T[], work: (each: T) => Promise<void>): Promise<void> {
  const waiting = [...all]
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await work(next)
  }
  await Promise.all(Array.from({ length: writers }, worker))
}

const virtualMachine = (name: string): object => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachine',
  metadata: { name, labels: { app: name } },
  spec: {
    runStrategy: 'Halted',
    template: {
      metadata: { labels: { app: name } },
      spec: {
        domain: {
          cpu: { cores: 1, sockets: 2, threads: 1 },
          memory: { guest: '2Gi' },
          devices: {
            disks: [
              { name: 'root', disk: { bus: 'virtio' } },
              { name: 'ci', disk: { bus: 'virtio' } },
            ],
            interfaces: [{ name: 'default', masquerade: {} }],
          },
        },
        networks: [{ name: 'default', pod: {} }],
        volumes: [
          { name: 'root', containerDisk: { image: 'quay.io/containerdisks/fedora:42' } },
          { name: 'ci', cloudInitNoCloud: { userData: '#cloud-config\n' } },
        ],
      },
    },
  },
})

/**
 * Reads the whole list page by page, like a client that mirrors a cluster. Returns the sorted
 * times.
 */
async function pages(sandbox: RunningSandbox, rounds: number): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    let token = ''
    do {
      const started = performance.now()
      const { body } = await sandbox.call(
        `/apis/kubevirt.io/v1/virtualmachines?limit=${pageSize}&continue=${token}`,
      )
      times.push(performance.now() - started)
      token = body.metadata.continue ?? ''
    } while (token !== '')
  }
  return times.sort((a, b) => a - b)
}
