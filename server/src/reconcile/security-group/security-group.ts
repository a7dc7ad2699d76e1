import { stepFailpoint } from '../../domain/operation/kind.ts'
import { atFailpoint } from '../../runtime/failpoint.ts'
import { type Op } from '../../store/op.ts'
import { type UnitParts, fencedUnits } from '../fenced-unit.ts'
import { OpenOperations } from '../open-operations.ts'
import { type Reconciler, done } from '../../engine/reconcile/reconciler.ts'
import { messageOf } from '../../engine/model/message.ts'

interface SecurityGroupReconcilerParts extends UnitParts {
  /** The delay between checks while VM firewalls are updated. */
  waitMs?: number
}

type Row = NonNullable<Awaited<ReturnType<Op['securityGroups']['row']>>>

/**
 * Ends the operation when the firewall of every VM in the group has the change. The firewall
 * reconciler of each VM applies it.
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
      if (stage === 'applied')
        await atFailpoint(stepFailpoint('apply_security_group', 'vms'), () => unit(succeed))
      return done
    },
  }
}

const operationsOf = (op: Op, { id }: Row): Promise<OpenOperations> =>
  OpenOperations.on(op, { kind: 'security_group', id })

async function stageOf(op: Op, group: Row | null): Promise<'idle' | 'waiting' | 'applied'> {
  if (!group) return 'idle'
  const operations = await operationsOf(op, group)
  operations.begin('apply_security_group', 'vms')
  operations.expire()
  if (!operations.isOpen('apply_security_group')) return 'idle'
  return (await op.vmFirewalls.progressOf(group)).behind > 0 ? 'waiting' : 'applied'
}

async function succeed(op: Op, group: Row | null): Promise<void> {
  if (!group) return
  const { behind, refused } = await op.vmFirewalls.progressOf(group)
  if (behind > 0) return
  const operations = await operationsOf(op, group)
  if (refused > 0)
    operations.failKind('apply_security_group', {
      code: 'platform_error',
      detail: messageOf('security_group.refused', { n: refused }),
    })
  operations.finish('apply_security_group', 'vms')
  operations.succeed('apply_security_group')
}
