import { type Controller } from '../controller.ts'
import { hotplugAgent } from '../hotplug/guest-volumes.ts'
import { nicAgent } from '../nics/nic-agent.ts'
import { memoryDumps } from '../hotplug/memory-dumps.ts'
import { nodeAgent } from './node/node-agent.ts'
import { vmController } from './vm-controller.ts'
import { vmiController } from './vmi-controller.ts'

/** The controllers of virt-controller, and those of the virt-handler on every node. */
export const vmControllers: readonly Controller[] = [
  vmController,
  vmiController,
  nodeAgent,
  hotplugAgent,
  nicAgent,
  memoryDumps,
]
