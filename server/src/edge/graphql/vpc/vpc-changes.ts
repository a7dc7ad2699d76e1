import { rowChanges } from '../change/row-changes.ts'
import { Vpc } from './vpc-types.ts'

export const VpcChangesResolver = rowChanges({
  name: 'vpcChanged',
  type: () => Vpc,
  needs: ['vpcs:read'],
  kind: 'vpc',
  noun: 'VPC',
  description: 'The VPC as it is, and again each time that it has changed, until it is gone.',
  read: (reads, id) => reads.vpcs.find(id),
})
