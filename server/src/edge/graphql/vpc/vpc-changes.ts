import { rowChanges } from '../change/row-changes.ts'
import { Vpc } from './vpc-types.ts'

export const VpcChangesResolver = rowChanges({
  name: 'vpcChanged',
  type: () => Vpc,
  needs: ['vpcs:read'],
  kind: 'vpc',
  noun: 'VPC',
  description: 'Sends the VPC now and after each change, until it is deleted.',
  read: (reads, id) => reads.vpcs.find(id),
})
