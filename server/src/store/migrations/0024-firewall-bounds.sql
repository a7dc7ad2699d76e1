-- works_from: 0022-unmanaged-vm
-- A fingerprint of the closed ranges in the NetworkPolicy of a VM, and the version of the policy. An
-- earlier build leaves the column as it is when it writes a policy. The other version then tells
-- that the policy must be written again.
alter table vm_firewall add column built_from text;
