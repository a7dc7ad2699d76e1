import { type KubeObject } from '../objects/types.ts'
import { dig } from '../objects/dig.ts'

export interface LogListener {
  data(bytes: Buffer): void
  end(): void
}

/** The output of a container. */
export interface ContainerLog {
  /** The retained part of the output. */
  bytes(): Buffer
  /** Calls the listener with everything that is written from now on, and once at the end. */
  follow(listener: LogListener): () => void
}

/** Returns the log of a container. Null when no output of it is known. */
export type ContainerLogs = (pod: KubeObject, container: string) => ContainerLog | null

/** Derives a log from the status, for containers that run no real process. */
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
    // A log that is derived from the status has no later output.
    follow(listener) {
      listener.end()
      return () => {}
    },
  }
}
