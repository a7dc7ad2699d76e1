import { stepPoint } from '../../domain/operation/kind.ts'
import { atFailpoint } from '../../runtime/failpoint.ts'
import { type Op } from '../../store/op.ts'
import { type UnitParts, fencedUnits } from '../fenced-unit.ts'
import { Promises } from '../promise.ts'
import { type Reconciler, done } from '../../engine/reconcile/reconciler.ts'
import { messageOf } from '../../engine/model/message.ts'

interface SecurityGroupReconcilerParts extends UnitParts {
  /** How soon to look again while machines are being told. */
  waitMs?: number
}

type Row = NonNullable<Awaited<ReturnType<Op['securityGroups']['row']>>>

/**
 * Ends the promise of a change when every machine that has the group has heard of it; each is told
 * by the reconciler of its guard.
 */
export function securityGroupReconciler({
  store,
  work,
  waitMs = 200,
}: SecurityGroupReconcilerParts): Reconciler {
  const unitFor = fencedUnits({ store, work }, (op, id) => op.securityGroups.row(id))

  return {
    kind: 'security_group',
    async reconcile(key, lease) {
      const unit = unitFor(key, lease)
      const stage = await unit(stageOf)
      if (stage === 'waiting') return { again: { afterMs: waitMs } }
      if (stage === 'told')
        await atFailpoint(stepPoint('apply_security_group', 'vms'), () => unit(succeed))
      return done
    },
  }
}

const promisesOf = (op: Op, { id }: Row): Promise<Promises> =>
  Promises.on(op, { kind: 'security_group', id })

async function stageOf(op: Op, group: Row | null): Promise<'idle' | 'waiting' | 'told'> {
  if (!group) return 'idle'
  const promises = await promisesOf(op, group)
  promises.begin('apply_security_group', 'vms')
  promises.expire()
  if (!promises.isOpen('apply_security_group')) return 'idle'
  return (await op.vmGuards.progressOf(group)).behind > 0 ? 'waiting' : 'told'
}

async function succeed(op: Op, group: Row | null): Promise<void> {
  if (!group) return
  const { behind, refused } = await op.vmGuards.progressOf(group)
  if (behind > 0) return
  const promises = await promisesOf(op, group)
  if (refused > 0)
    promises.refuse('apply_security_group', {
      code: 'platform_error',
      detail: messageOf('security_group.refused', { n: refused }),
    })
  promises.finish('apply_security_group', 'vms')
  promises.succeed('apply_security_group')
}
