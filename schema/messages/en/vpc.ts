export const vpc = {
  'vpc.name_taken': 'A VPC named {name} exists already; choose another name.',
  'vpc.name_taken_meanwhile': 'A VPC with this name exists already; choose another name.',
  'vpc.overlap_meanwhile': 'Another VPC of the tenant has just taken some of these addresses; choose another block.',
  'vpc.of_tenant': 'VPC {name} is the first VPC of the tenant, which is only deleted together with the tenant.',
  'vpc.used_by': 'VPC {name} is used by VMs: {vms}; detach them from its networks or delete them first.',
  'vpc.has_networks': 'VPC {name} has networks: {networks}; delete them first, or together with it.',
  'vpc.deleting': 'VPC {name} is being deleted and can no longer be changed; use another one.',
  'vpc.example': 'must be an IPv4 network such as 10.1.0.0/16',
  'vpc.not_private': 'must be inside 10.0.0.0/8, 172.16.0.0/12 or 192.168.0.0/16',
  'vpc.too_small': 'must be a /{prefix} or larger',
  'vpc.name_in_use': 'Another object in the cluster has the internal name of this VPC; create it again, or ask the operator.',
  'vpc.refused': 'The cluster refused to create the namespace of this VPC; ask the operator.',
} as const
