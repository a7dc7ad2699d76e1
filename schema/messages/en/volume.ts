export const volume = {
  'volume.name_taken': 'A volume named {name} exists already; choose another name.',
  'volume.name_taken_meanwhile': 'A volume with this name exists already; choose another name.',
  'volume.attached': 'Volume {name} is in use: it is attached to a VM; detach it first.',
  'volume.held': 'Volume {name} is in use: a VM has not released it yet; wait until it is detached, or stop the VM.',
  'volume.being_copied': 'Volume {name} is in use: a snapshot of it is being taken; wait until that is ready.',
  'volume.not_attached': 'Volume {name} is attached to no VM; there is nothing to detach.',
  'volume.not_of_vm': 'Volume {name} is not attached to VM {vm}; check both names.',
  'volume.deleting': 'Volume {name} is being deleted and can no longer be used; use another one.',
  'volume.creating': 'Volume {name} is still being created; wait until it is ready.',
  'volume.lost':
    'Volume {name} was removed outside of this platform; delete it and create another one.',
  'volume.failed': 'Volume {name} could not be created; delete it and create another one.',
  'volume.unbound': 'Volume {name} has no storage before its first use; attach it to a VM, and start the VM.',
  'volume.unbound_of_vm': 'Volume {name} of VM {vm} has no storage yet; start the VM once, or detach the volume.',
  'volume.cannot_grow': 'Volume {name} is on storage class {class}, whose volumes cannot grow; create a larger one and copy the data.',
  'volume.no_snapshots': 'Volume {name} is on storage class {class}, which does not support snapshots; copy its data to a volume on another storage class.',
  'volume.restoring': 'Volume {name} is being restored with its VM; wait until that has ended.',
  'volume.most_attached': 'A VM can have at most {most} volumes; detach one first.',
  'volume.storage_untold':
    'The cluster has not reported its storage classes yet; try again in a moment.',
  'volume.class_of_snapshot': 'must be {class}, the storage class of the snapshot',
  'volume.size_of_snapshot': 'must be at least {least}, the size of the snapshot',
  'volume.never_shrinks': 'must be at least {least}: a volume cannot shrink',
  'volume.is_root_disk':
    'is the root disk of the VM, which cannot be detached; delete the VM instead',
  'volume.is_iso': 'is the ISO from which the VM is installed; eject it instead (ejectVmIso)',
  'volume.is_cloud_init': 'is the cloud-init disk of the VM, which cannot be detached',
  'volume.name_in_use': 'Another object in the cluster has the internal name of this volume; create another one.',
  'volume.storage_refused': 'The storage could not create this volume; create it on another storage class, or ask the operator.',
  'volume.make_refused': 'The cluster refused to create this volume; ask the operator.',
  'volume.growth_refused': 'The cluster refused to grow this volume, and its size does not change; ask the operator.',
  'volume.vm_gone': 'The VM was deleted or could not be created, so the volume is not attached; attach it to another VM.',
  'volume.removed_outside': 'The volume was removed outside of this platform; delete it here, and create another one.',
  'volume.class_unusable.summary': 'The chosen storage class cannot hold this volume.',
  'volume.class_unusable.nextStep': 'Delete the volume and create it with another storage class.',
  'volume.failed.summary': 'The volume could not be created; it has no content.',
  'volume.failed.nextStep': 'See the cause in its operation, delete it, and create it again.',
  'volume.first_use.summary':
    'The volume gets storage when it is attached for the first time, as its storage class requires.',
  'volume.first_use.nextStep':
    'Attach it when you need it. Until then it cannot be resized, and no snapshot of it can be taken.',
  'volume.guest_lacks_it.summary': 'The VM does not have the volume yet.',
  'volume.guest_lacks_it.nextStep':
    'Wait a moment. If it persists, detach it, and attach it again while the VM is stopped.',
  'volume.guest_holds_it.summary': 'The VM still has the volume.',
  'volume.guest_holds_it.nextStep':
    'Unmount it in the guest, and wait a moment. Stopping the VM releases it in any case.',
  'volume.lost.summary': 'The volume was removed outside of this platform.',
  'volume.lost.nextStep':
    'Ask the operator what happened. Delete the volume here; you can restore a snapshot of it to a new volume.',
  'volume.quota_exceeded.summary': 'A limit of your tenant blocks the volume.',
  'volume.quota_exceeded.nextStep':
    'Delete volumes that you do not need, or ask the operator for a higher limit.',
  'volume.resize_waits.summary': 'The storage has not grown the volume yet.',
  'volume.resize_waits.nextStep': 'Wait. If it persists, tell the operator the name of the volume.',
  'volume.storage_slow.summary': 'The storage has no free space for the volume at the moment.',
  'volume.storage_slow.nextStep': 'It is retried automatically. If it persists, ask the operator.',
} as const
