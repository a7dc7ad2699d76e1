export const tenant = {
  'tenant.slug_taken': 'A tenant with the slug {slug} exists already; choose another slug.',
  'tenant.slug_taken_meanwhile': 'A tenant with this slug exists already; choose another slug.',
  'tenant.default_kept': 'The default tenant belongs to the platform and cannot be deleted.',
  'tenant.deleting': 'Tenant {slug} is being deleted; it can no longer be changed.',
  'tenant.closing': 'Tenant {slug} is being deleted; nothing can be created in it.',
  'tenant.not_ready': 'Tenant {slug} is not ready yet; wait until it is active.',
  'tenant.late': 'It could not be made ready in time.',
  'tenant.refused': 'The cluster refused to create the namespace of this tenant; ask the operator.',
  'tenant.name_in_use':
    'Another object in the cluster has the name of this tenant; delete the tenant and choose another slug.',
  'tenant.removed_by_hand':
    'The objects of the tenant were removed from the cluster by hand; delete the tenant, or ask the operator to restore it.',
  'tenant.deleted_with': 'The tenant is being deleted, and this object with it.',
  'tenant.deleting_now': 'The tenant is being deleted.',
} as const
