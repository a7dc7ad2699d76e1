-- An open operation may wait until the operator has provided something, such as a component of the
-- cluster. The column names it; null when nothing is missing.
alter table operation add column waits_for jsonb;
