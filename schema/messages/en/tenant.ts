export const tenant = {
  'tenant.slug_taken': 'A tenant with the slug {slug} exists already; choose another slug.',
  'tenant.slug_taken_meanwhile': 'A tenant with this slug exists already; choose another slug.',
  'tenant.default_kept': 'The default tenant belongs to the platform and cannot be deleted; delete what is in it instead.',
  'tenant.deleting': 'Tenant {slug} is being deleted and can no longer be changed; there is nothing to do.',
  'tenant.closing': 'Tenant {slug} is being deleted, so nothing can be created in it. If you belong only to this tenant, ask the operator for another one; otherwise use another tenant.',
  'tenant.not_ready': 'Tenant {slug} is still being created; wait until it is active. If that takes long, ask the operator.',
  'tenant.failed': 'Tenant {slug} has failed, so the cluster takes no VMs, disks, snapshots or networks for it; ask the operator, who sees the reason in its state.',
  'tenant.late': 'The tenant was not ready in time. Berth keeps trying; if it does not become active, ask the operator.',
  'tenant.refused': 'The cluster refused the namespace of the tenant, or an object in it that isolates or limits the tenant. Ask the operator, who finds the reason in the log of Berth. Berth keeps trying, and the tenant then becomes active.',
  'tenant.name_in_use':
    'Another object in the cluster has the name of this tenant; delete the tenant and choose another slug.',
  'tenant.removed_by_hand': 'The namespace of the tenant was removed outside of this platform, with everything in it; delete the tenant, or ask the operator to restore it.',
  'tenant.deleted_with': 'The tenant is being deleted, and this object with it; use another tenant.',
  'tenant.namespace_missing': 'The namespace of the tenant was removed outside of this platform; use another tenant, or ask the operator to restore the namespace.',
  'tenant.namespace_leaving': 'The namespace of the tenant is being deleted, with everything in it; use another tenant. If the tenant itself is not being deleted, ask the operator.',
} as const
