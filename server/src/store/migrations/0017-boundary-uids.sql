-- An apply with the uid of its object is one call instead of three. The columns are null for
-- tenants from before them, until their boundary is applied again.
alter table tenant_boundary
  add column limits_uid text,
  add column network_policy_uid text,
  add column quota_uid text;
