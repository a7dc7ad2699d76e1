-- Clients compare the CIDR that they read with the one that they sent, host bits included. Null
-- when Berth chose the CIDR, and for rows from before this column.
alter table vpc add column requested_cidr text;
alter table network add column requested_cidr text;
alter table security_group_rule add column requested_cidr text;
