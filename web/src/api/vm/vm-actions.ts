import { graphql } from '../graphql.ts'

/**
 * What is asked of a machine in one word. Each answers with the operation that keeps the promise.
 */
export const vmDeedDocuments = {
  start: graphql(`
    mutation StartVm($id: ID!) {
      deed: startVm(input: { id: $id }) {
        vm {
          id
          state
        }
        operation {
          id
        }
      }
    }
  `),
  stop: graphql(`
    mutation StopVm($id: ID!) {
      deed: stopVm(input: { id: $id }) {
        vm {
          id
          state
        }
        operation {
          id
        }
      }
    }
  `),
  forceStop: graphql(`
    mutation ForceStopVm($id: ID!) {
      deed: stopVm(input: { id: $id, force: true }) {
        vm {
          id
          state
        }
        operation {
          id
        }
      }
    }
  `),
  restart: graphql(`
    mutation RestartVm($id: ID!) {
      deed: restartVm(input: { id: $id }) {
        vm {
          id
          state
        }
        operation {
          id
        }
      }
    }
  `),
  pause: graphql(`
    mutation PauseVm($id: ID!) {
      deed: pauseVm(input: { id: $id }) {
        vm {
          id
          state
        }
        operation {
          id
        }
      }
    }
  `),
  resume: graphql(`
    mutation ResumeVm($id: ID!) {
      deed: resumeVm(input: { id: $id }) {
        vm {
          id
          state
        }
        operation {
          id
        }
      }
    }
  `),
  delete: graphql(`
    mutation DeleteVm($id: ID!) {
      deed: deleteVm(input: { id: $id }) {
        vm {
          id
          state
        }
        operation {
          id
        }
      }
    }
  `),
}

export type VmDeed = keyof typeof vmDeedDocuments
