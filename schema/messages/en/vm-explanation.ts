export const vmExplanation = {
  'vm.cause.deleted_outside': 'The deletion was not requested here.',
  'vm.cause.removed': 'It was removed without a request here.',
  'vm.cause.silent_host':
    'The connection to the host is broken. The VM may still run on it, but this cannot be checked.',
  'vm.cause.unknown': 'Berth does not understand the state that the cluster reports.',
  'vm.cause.disk_missing': 'The volume behind it was deleted or never created.',
  'vm.cause.refused': 'The cluster did not accept the settings of the VM.',
  'vm.cause.crashing':
    'Its guest or the program that runs it ended with an error several times in a row.',
  'vm.cause.storage_full':
    'A write to one of its disks failed, mostly because the storage behind it is full.',
  'vm.cause.half_moved': 'A storage migration of its disk failed before it was complete.',
  'vm.cause.pending': 'A setting was changed that a running VM cannot adopt.',
  'vm.cause.no_memory': 'No host has enough free memory for it.',
  'vm.cause.no_cpu': 'No host has enough free CPU for it.',
  'vm.cause.no_scratch': 'No host has enough free scratch space for it.',
  'vm.cause.no_device': 'No host has the device that it needs.',
  'vm.cause.hosts_full': 'All hosts have reached their maximum number of VMs.',
  'vm.cause.storage_unready':
    'Its storage is not ready, or is not reachable from any host with free capacity.',
  'vm.cause.no_match': 'No host fulfils the requirements of the VM.',
  'vm.cause.hosts_closed': 'All hosts are closed for new VMs, for example for maintenance.',
  'vm.cause.no_host': 'No host can run it.',
  'vm.cause.quota_memory': 'Your tenant has reached its memory limit.',
  'vm.cause.quota_cpu': 'Your tenant has reached its CPU limit.',
  'vm.cause.quota_storage': 'Your tenant has reached its storage limit.',
  'vm.cause.quota_volumes': 'Your tenant has reached its limit of volumes.',
  'vm.cause.quota_vms': 'Your tenant has reached its limit of running VMs.',
  'vm.cause.quota': 'Your tenant has reached one of its limits.',
  'vm.cause.image_certificate': 'The server of the image cannot prove its identity.',
  'vm.cause.image_server': 'The server of the image cannot be reached.',
  'vm.cause.image_forbidden': 'The server of the image denies access without a login.',
  'vm.cause.image_missing': 'There is no image at the given address.',
  'vm.cause.image': 'The image does not exist at the given address, or its server denies access.',
  'vm.cause.disk_small': 'The disk is smaller than the image for it.',
  'vm.cause.disk_storage_full': 'The storage of the cluster is full.',
  'vm.cause.disk_class': 'The chosen storage class does not exist here, or cannot hold disks.',
  'vm.cause.disk_checksum': 'The checksum of the image differs from the expected one.',
  'vm.cause.disk_no_room': 'There is no free space to import the disk at the moment.',
  'vm.cause.disk_not_image': 'The file at the given address is not a disk image.',
  'vm.cause.disk': 'The import of the disk was interrupted and is retried automatically.',
  'vm.next.deleted_outside':
    'Delete the VM here too after it is gone, and ask the operator who removed it.',
  'vm.next.deploy_failed': 'Retry the deploy. The VM keeps what exists of it until you delete it.',
  'vm.next.removed':
    'Ask the operator what happened. If its disks are gone with it, delete the VM and deploy it again.',
  'vm.next.silent_host':
    'Wait: the VM comes back with the host, or it is started on another host when this one is given up.',
  'vm.next.unknown': 'Wait a minute. If it persists, tell the operator the name of the VM.',
  'vm.next.disk_missing':
    'Detach the missing disk and start the VM again. If you need its data, restore the disk from a snapshot.',
  'vm.next.refused':
    'Undo the last change to the VM and start it again. If it was never changed, tell the operator its name.',
  'vm.next.crashing':
    'Read the last lines in the log of the VM, fix the reported problem, and start it again.',
  'vm.next.storage_full': 'Ask the operator to make room, then resume the VM.',
  'vm.next.half_moved':
    'Do not change the VM, and ask the operator to finish or undo the migration.',
  'vm.next.pending': 'Restart the VM at a convenient time.',
  'vm.next.smaller':
    'Choose a smaller size, stop other VMs, or ask the operator for more capacity.',
  'vm.next.other_offering': 'Ask the operator, or choose another service offering.',
  'vm.next.tell_operator': 'Wait a few minutes. If it persists, tell the operator.',
  'vm.next.until_opened':
    'Wait until the operator opens them again. The VM then starts automatically.',
  'vm.next.until_room': 'Wait a few minutes. It starts automatically when there is capacity.',
  'vm.next.free_quota':
    'Delete or stop VMs and volumes that you do not need, or ask the operator for a higher limit.',
  'vm.next.other_template': 'Choose another template, or have this one fixed.',
  'vm.next.retried_address':
    'It is retried automatically. If it persists, check the address of the image in the template.',
  'vm.next.retried_image':
    'It is retried automatically. Check the address of the image in the template.',
  'vm.next.larger_disk': 'Delete the VM and deploy it again with a larger disk.',
  'vm.next.make_room': 'Ask the operator to free storage. It is then retried automatically.',
  'vm.next.other_storage': 'Delete the VM and deploy it again on another storage class.',
  'vm.next.check_image': 'Wait a few minutes. If it persists, check the image of the template.',
  'vm.crash_loop.summary': 'The VM crashes each time it starts.',
  'vm.deleted_outside.summary': 'The VM is being deleted outside of this platform.',
  'vm.deploy_failed.summary': 'The VM could not be deployed.',
  'vm.disk_failed.summary': 'A disk of the VM could not be imported.',
  'vm.disk_missing.summary': 'A disk of the VM is missing.',
  'vm.host_lost.summary': 'The host of the VM does not answer.',
  'vm.image_unavailable.summary': 'The image of the VM could not be fetched.',
  'vm.lost.summary': 'The VM was removed outside of this platform.',
  'vm.quota_exceeded.summary': 'A limit of your tenant blocks the VM.',
  'vm.recovery_needed.summary': 'A storage migration of the VM was interrupted.',
  'vm.replaced.summary':
    'The VM was removed outside of this platform, and another object has its name.',
  'vm.restart_needed.summary': 'A change takes effect with the next restart.',
  'vm.start_refused.summary': 'The VM could not be started.',
  'vm.storage_full.summary': 'The VM is paused because its storage is full.',
  'vm.unknown.summary': 'The state of the VM is not known.',
  'vm.unschedulable.summary': 'No host can run the VM at the moment.',
} as const
