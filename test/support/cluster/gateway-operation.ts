import { type Cluster } from '../../../server/src/cluster/kubevirt-cluster.ts'

/** The row and the object of all operations. */
export const rowId = '0b6f1c1e-7f0f-4d6c-9a51-0d2a3c4b5e6f'
export const uid = '11111111-2222-3333-4444-555555555555'

/** A method of the cluster gateway, in the form in which tests can call any of them. */
export interface Operation {
  /** The kind of the operation, which alone decides how an answer is handled. */
  does:
    | 'read'
    | 'answer'
    | 'list'
    | 'detect'
    | 'stream'
    | 'log'
    | 'create'
    | 'correct'
    | 'remove'
    | 'order'
  method: string
  /** The names that become part of the path; none for a list. */
  takes?: readonly (keyof ObjectNames)[]
  run(cluster: Cluster, names: ObjectNames): Promise<unknown>
  /** The only paths that the operation may request. */
  paths(names: ObjectNames): readonly string[]
}

/** Unchecked names, which may be hostile. */
export interface ObjectNames {
  namespace: string
  name: string
}
