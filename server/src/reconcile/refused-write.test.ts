import { expect, test } from 'vitest'
import { ClusterError } from '../engine/kube/cluster-error.ts'
import { messageOf } from '../engine/model/message.ts'
import { refusedWrite } from './refused-write.ts'

const refused = messageOf('volume.make_refused')
const nameInUse = messageOf('volume.name_in_use')

test.each([
  {
    trouble: 'refused',
    code: 'platform_error',
    key: 'volume.make_refused',
    because: 'the log has the reason of a policy or webhook',
  },
  {
    trouble: 'quota_exceeded',
    code: 'capacity',
    key: 'volume.make_refused',
    because: 'the log names the quota',
  },
  {
    trouble: 'name_taken',
    code: 'cluster_name_conflict',
    key: 'volume.name_in_use',
    because: 'the caller has a sentence for it',
  },
  {
    trouble: 'namespace_missing',
    code: 'tenant_not_ready',
    key: 'tenant.namespace_missing',
    because: 'the log does not have it',
  },
  {
    trouble: 'namespace_terminating',
    code: 'tenant_deleting',
    key: 'tenant.namespace_leaving',
    because: 'the log does not have it',
  },
] as const)('a refused write with the trouble $trouble ends with $key: $because', (row) => {
  const error = new ClusterError('m', { trouble: row.trouble, call: 'apply volume', status: 403 })
  const { code, detail } = refusedWrite(error, refused, { name_taken: nameInUse })
  expect({ code, key: detail.key }).toEqual({ code: row.code, key: row.key })
})
