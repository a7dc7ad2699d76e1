-- works_from: 0022-unmanaged-vm
-- A fingerprint of the closed ranges in the NetworkPolicy of a VM, and the version of the policy.
-- An earlier build leaves the column as it is when it writes a policy. The other version then tells
-- that the policy must be written again.
alter table vm_firewall add column built_from text;

-- When nodes pull the container disks of a VM. VMs from before leave it to the cluster, because a
-- change of their manifest would ask for a restart.
alter table vm add column image_pull_policy text
  check (image_pull_policy in ('Always', 'IfNotPresent'));
