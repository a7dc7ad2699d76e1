import { type JsonMap } from '../../../objects/types.ts'

/** A volume of the launcher pod, with its mounts and devices in the compute container. */
export interface LauncherVolume {
  volume?: JsonMap
  mounts?: JsonMap[]
  devices?: JsonMap[]
  /** Mount path of a volume that pods on other nodes share. */
  sharedFolder?: string
}
