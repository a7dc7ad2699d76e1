-- The differences between the VM in the cluster and in Berth, and the generation of the VM object
-- that was last compared. Another generation means that another client changed the object.
alter table vm
  add column drift jsonb,
  add column compared_generation int;
