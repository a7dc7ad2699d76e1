import { busyWiths } from '../../../domain/vm/busy.ts'
import { explanationCodes } from '../../../domain/vm/explain.ts'
import { vmActions } from '../../../domain/vm/lifecycle.ts'
import { vmStates } from '../../../domain/vm/state.ts'
import { changeApplies, powers, rootDisks } from '../../../domain/vm/vm.ts'
import { wireStates } from '../../../domain/vm/wire-state.ts'
import { driftParts } from '../../../domain/vm-drift/drift.ts'
import { enumOf } from '../../../engine/graphql/enum.ts'

export const vmEnums = {
  state: enumOf('VmState', vmStates, {
    description: 'The state of a VM.',
    values: {
      Pending: 'Berth has accepted the VM, and the cluster has not processed it yet.',
      Provisioning: 'The disks of the VM are being created and filled.',
      Starting: 'The VM is starting.',
      Running: 'The VM runs.',
      Paused: 'The guest is paused. It keeps its memory until the VM is resumed.',
      Migrating: 'The VM runs and is migrating to another node.',
      Restarting: 'The VM stops, and then starts again.',
      Stopping: 'The VM is shutting down.',
      Stopped: 'The VM is off.',
      Deleting: 'The VM is being deleted.',
      Error: 'The VM cannot reach its requested state. `explanation` has the cause and the remedy.',
      Unknown:
        'Berth cannot determine the state at the moment, for example because the node does not answer.',
      Lost: 'Another client deleted the VM in the cluster. `explanation` has the remedy.',
      Failed: 'The deploy of the VM failed. Retry it with `retryVm`, or delete the VM.',
    },
  }),
  rootDisk: enumOf('VmRootDisk', rootDisks, {
    description: 'Tells if the root disk of a VM keeps its data.',
    values: {
      persistent: 'The root disk keeps its data until the VM is deleted.',
      ephemeral: 'The root disk loses its data with each stop.',
    },
  }),
  wireState: enumOf('VmWireState', wireStates, {
    description:
      'The states in the REST API, which has fewer. An accepted start or stop shows immediately.',
    values: {
      Starting: 'The VM is being deployed, is starting or is restarting.',
      Running: 'The VM runs, is paused or is migrating.',
      Stopping: 'The VM is shutting down or being deleted.',
      Stopped: 'The VM is off.',
      Error: 'The VM has a problem: its state is `Error`, `Unknown`, `Lost` or `Failed`.',
    },
  }),
}

export const PowerEnum = enumOf('VmPower', powers, {
  description: 'The power state of a VM.',
  values: { on: 'The VM is switched on.', off: 'The VM is switched off.' },
})

export const ChangeAppliesEnum = enumOf('VmChangeApplies', changeApplies, {
  description: 'When a change to a VM takes effect.',
  values: {
    at_once: 'The change takes effect immediately.',
    while_running: 'The running VM adopts the change within a few minutes.',
    next_start: 'The change takes effect with the next start of the VM.',
  },
})

export const DriftPartEnum = enumOf('VmDriftPart', driftParts, {
  description: 'The part of a VM in which the cluster differs from Berth.',
  values: {
    power: 'The power state or another power setting differs.',
    cpu: 'The number of vCPUs or another CPU setting differs.',
    memory: 'The size of the memory or another memory setting differs.',
    disks: 'The disks differ.',
    nics: 'The NICs differ.',
    settings: 'Another setting differs.',
  },
})

export const BusyWithEnum = enumOf('VmBusyWith', busyWiths, {
  description: 'An activity that blocks changes of a VM until it ends.',
  values: {
    snapshot: 'A snapshot of the VM is being taken.',
    restore: 'The VM is being restored from a snapshot.',
  },
})

export const VmActionEnum = enumOf('VmAction', vmActions, {
  description: 'An action on a VM. Each names the mutation that carries it out.',
  values: {
    start: 'The mutation `startVm` switches the VM on.',
    stop: 'The mutation `stopVm` asks the guest to shut down.',
    forceStop: 'The mutation `stopVm` with `force` cuts the power immediately.',
    restart: 'The mutation `restartVm` stops the VM and starts it again.',
    pause: 'The mutation `pauseVm` pauses the guest, which keeps its memory.',
    resume: 'The mutation `resumeVm` continues a paused guest.',
    retry: 'The mutation `retryVm` repeats a failed deploy.',
    delete: 'The mutation `deleteVm` deletes the VM and its root disk.',
    rename:
      'The mutation `updateVm` changes the display name, the tags or the deletion protection.',
    resize: 'The mutation `updateVm` changes the vCPUs, the memory or the service offering.',
    attachVolume: 'The mutation `attachVolume` attaches a volume.',
    detachVolume: 'The mutation `detachVolume` detaches a volume.',
    ejectIso: 'The mutation `ejectVmIso` removes the ISO of the installation.',
    revertDrift: 'The mutation `revertVmDrift` undoes changes of other clients in the cluster.',
    acceptDrift:
      'The mutation `acceptVmDrift` adopts the power and the size that another client has set.',
    attachNetwork: 'The mutation `attachNetwork` adds a NIC in a network.',
    detachNetwork: 'The mutation `detachNetwork` removes the NIC in a network.',
    snapshot: 'The mutation `createVmSnapshot` takes a snapshot of the VM.',
    restore: 'The mutation `restoreVm` resets the VM to a snapshot.',
    openConsole: 'The mutation `createVmConsoleTicket` opens the serial console or the screen.',
  },
})

export const ExplanationCodeEnum = enumOf('VmExplanationCode', explanationCodes, {
  description: 'The kind of problem of a VM.',
  values: {
    changed_outside:
      'Another client changed the VM in the cluster. Revert the change, or accept it.',
    crash_loop: 'The VM crashes each time it starts. The log of the VM has the reason.',
    deleted_outside: 'Another client is deleting the VM in the cluster. Delete it in Berth too.',
    deploy_failed: 'The VM could not be deployed. Retry the deploy, or delete the VM.',
    disk_failed: 'A disk of the VM could not be imported. `cause` has the reason.',
    disk_missing:
      'The volume behind a disk does not exist. Detach or eject it, or restore the VM from a snapshot.',
    host_lost:
      'The node of the VM does not answer, and the VM may still run there. Wait for the node.',
    image_unavailable: 'The image of the VM could not be fetched. Check it in the template.',
    lost: 'Another client deleted the VM in the cluster. Ask the operator what happened.',
    platform_incomplete:
      'The platform lacks a component or a right. The operation continues when the operator adds it.',
    quota_exceeded:
      'A limit of the tenant blocks the VM. Free resources, or ask the operator for a higher limit.',
    recovery_needed:
      'A storage migration of the VM was interrupted. The operator must finish or undo it.',
    replaced: 'Another client deleted the VM and created an object with its name in the cluster.',
    restart_needed: 'A change takes effect with the next restart of the VM.',
    start_refused:
      'The cluster did not start the VM with its current settings. Undo the last change.',
    storage_full:
      'The VM is paused after a failed write, mostly because its storage is full. Make room, then resume it.',
    unknown: 'Berth does not understand the state that the cluster reports. Wait a minute.',
    unschedulable: 'No node can run the VM at the moment. `cause` has the missing resource.',
  },
})

const fixers = ['you', 'operator', 'nobody'] as const
export type Fixer = (typeof fixers)[number]
export const FixerEnum = enumOf('VmFixer', fixers, {
  description: 'Tells who can solve a problem.',
  values: {
    you: 'A user of the tenant can apply the remedy.',
    operator: 'The operator of the platform must act.',
    nobody: 'No action is necessary.',
  },
})
