-- What an open operation waits for until the operator has provided it, such as a component of the
-- cluster. Null when nothing is missing.
alter table operation add column waits_for jsonb;
