import { type KubeObject } from '../objects/types.ts'
import { dig } from '../objects/dig.ts'

export interface LogListener {
  data(bytes: Buffer): void
  end(): void
}

/** What a container wrote. */
export interface ContainerLog {
  /** As much as is kept. */
  bytes(): Buffer
  /** Calls the listener with everything that is written from now on, and once at the end. */
  follow(listener: LogListener): () => void
}

/**
 * Where the logs of containers come from; null for a container that nothing is known to have
 * written.
 */
export type ContainerLogs = (pod: KubeObject, container: string) => ContainerLog | null

/** Of containers of which nothing really runs: what is known of their life, as text. */
export const statusLog: ContainerLogs = (pod, container) => {
  const states = [
    ...dig.list(pod, 'status.initContainerStatuses'),
    ...dig.list(pod, 'status.containerStatuses'),
  ]
  const state = states.find((each) => dig.text(each, 'name') === container)
  const start =
    dig.text(state, 'state.running.startedAt') ||
    dig.text(state, 'state.terminated.startedAt') ||
    dig.text(pod, 'status.startTime')
  const ended = dig.any(state, 'state.terminated')
  const lines = [
    ...(start === '' ? [] : [`${start} ${container} started in pod ${pod.metadata.name}`]),
    ...(ended === undefined
      ? []
      : [
          `${dig.text(ended, 'finishedAt')} ${container} ended with ${dig.number(ended, 'exitCode')}`,
        ]),
  ]
  return {
    bytes: () => Buffer.from(lines.map((line) => `${line}\n`).join('')),
    // Nothing more is going to be written.
    follow(listener) {
      listener.end()
      return () => {}
    },
  }
}
