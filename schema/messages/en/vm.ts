export const vm = {
  'vm.name_taken': 'A VM named {name} exists already; choose another name.',
  'vm.name_taken_meanwhile': 'A VM with this name exists already; choose another name.',
  'vm.not_now': 'VM {name} {is}, so {refused}; {remedy}.',
  'vm.refused.start': 'it cannot be started',
  'vm.refused.stop': 'it cannot be stopped',
  'vm.refused.forceStop': 'it cannot be stopped by force',
  'vm.refused.restart': 'it cannot be restarted',
  'vm.refused.pause': 'it cannot be paused',
  'vm.refused.resume': 'it cannot be resumed',
  'vm.refused.retry': 'its deploy cannot be retried',
  'vm.refused.delete': 'it cannot be deleted',
  'vm.refused.rename': 'it cannot be changed',
  'vm.refused.resize': 'it cannot be resized',
  'vm.refused.attachVolume': 'no volume can be attached',
  'vm.refused.detachVolume': 'no volume can be detached',
  'vm.refused.ejectIso': 'its ISO cannot be ejected',
  'vm.refused.attachNetwork': 'no network can be attached',
  'vm.refused.detachNetwork': 'no network can be detached',
  'vm.refused.snapshot': 'no snapshot of it can be taken',
  'vm.refused.restore': 'it cannot be restored',
  'vm.refused.openConsole': 'its console cannot be opened',
  'vm.is.Pending': 'has not been created yet',
  'vm.is.Provisioning': 'is still getting its disks',
  'vm.is.Starting': 'is starting',
  'vm.is.Running': 'is running',
  'vm.is.Paused': 'is paused',
  'vm.is.Migrating': 'is migrating to another host',
  'vm.is.Restarting': 'is restarting',
  'vm.is.Stopping': 'is shutting down',
  'vm.is.Stopped': 'is stopped',
  'vm.is.Deleting': 'is being deleted',
  'vm.is.Error': 'has a problem',
  'vm.is.Unknown': 'does not answer at the moment',
  'vm.is.Lost': 'was removed outside of this platform',
  'vm.is.Failed': 'could not be deployed',
  'vm.remedy.nothing': 'there is nothing to do',
  'vm.remedy.start': 'start it instead',
  'vm.remedy.resume': 'resume it instead',
  'vm.remedy.start_later': 'start it once it has stopped',
  'vm.remedy.Pending': 'wait until it has been created',
  'vm.remedy.Provisioning': 'wait until its disks are ready',
  'vm.remedy.Starting': 'wait until it runs',
  'vm.remedy.Running': 'stop it first',
  'vm.remedy.Paused': 'resume it first',
  'vm.remedy.Migrating': 'wait until the migration has ended',
  'vm.remedy.Restarting': 'wait until it runs again',
  'vm.remedy.Stopping': 'wait until it has stopped',
  'vm.remedy.Stopped': 'start it first',
  'vm.remedy.Deleting': 'nothing can be done with it any more',
  'vm.remedy.Error': 'solve the problem that it shows first',
  'vm.remedy.Unknown': 'wait until it answers again, or stop it by force',
  'vm.remedy.Lost': 'delete it and deploy it again',
  'vm.remedy.Failed': 'retry its deploy, or delete it',
  'vm.busy.snapshot':
    'A snapshot of VM {name} is being taken, so {refused}; wait until the snapshot is ready, or delete it.',
  'vm.busy.restore':
    'VM {name} is being restored from a snapshot, so {refused}; wait until that has ended.',
  'vm.protected': 'VM {name} is protected against deletion; switch the protection off first.',
  'vm.without_iso': 'VM {name} has no ISO inserted; there is nothing to eject.',
  'vm.changing':
    'A change of VM {name} has not reached the cluster yet; wait a moment, and repeat the request.',
  'vm.silent':
    'The running instance of VM {name} is not known yet; wait a moment, and repeat the request.',
  'vm.iso_boot_not_persistent':
    'must be persistent: a system that is installed from an ISO needs a persistent disk',
  'vm.image_required': 'is required when image is not set',
  'vm.offering_withdrawn': 'names {offering}, which is no longer offered; choose another one',
  'vm.port_without_nic':
    'needs a NIC on the cluster network, to which the port leads; leave out podNetwork: false, or this field',
  'vm.log_boot':
    'must be 0 for the newest boot, or a negative number down to -{most} for an earlier one',
  'vm.logs_limited':
    'You already follow {most} logs of VMs, which is the maximum; close one first.',
  'vm.log_lost': 'The connection to the log of the VM was lost; follow the log again.',
  'vm.removed_outside':
    'The VM was removed outside of this platform; delete it here, and deploy it again.',
  'vm.changed_meanwhile':
    'The VM has stopped or restarted since the request; check its state, and repeat the request.',
  'vm.order_refused':
    'The cluster refused to start, stop, restart, pause or resume the VM; ask the operator; the log of Berth has the reason.',
  'vm.make_refused':
    'The cluster refused to create this VM; ask the operator; the log of Berth has the reason.',
  'vm.change_refused':
    'The cluster refused this change of the VM, which keeps its previous settings; ask the operator; the log of Berth has the reason.',
  'vm.restore_refused':
    'The cluster refused to restore the VM; ask the operator; the log of Berth has the reason.',
  'vm.name_in_use':
    'Another object in the cluster already has this name; delete the VM, and deploy it under another name.',
  'vm.no_room':
    'The quota of the tenant’s namespace in the cluster has no room for this VM; choose a smaller size, delete VMs, or ask the operator.',
  'vm.iso_missing':
    'The ISO of the template is missing; import it again. If the template belongs to the platform, ask the operator.',
  'vm.rules_refused':
    'The cluster refused the rules of these security groups, and the previous rules still apply; ask the operator; the log of Berth has the reason.',
  'vm.notice_problem': '{name} has a problem',
  'vm.notice_state': '{name} is {state}',
  'vm.notice_message': 'VM {name} is {state}.',
  'vm.notice.Error': 'in error',
  'vm.notice.Starting': 'starting',
  'vm.notice.Running': 'running',
  'vm.notice.Stopping': 'stopping',
  'vm.notice.Stopped': 'stopped',
} as const
