import { type JsonMap } from '../../../objects/types.ts'

/** Something that the pod brings along, and where its guest's container finds it. */
export interface Brought {
  volume?: JsonMap
  mounts?: JsonMap[]
  devices?: JsonMap[]
  /** Also in use by pods on other nodes. */
  sharedFolder?: string
}
