import { stepFailpoint } from '../../domain/operation/kind.ts'
import { atFailpoint } from '../../runtime/failpoint.ts'
import { type Op } from '../../store/op.ts'
import { askDeadlineAfter } from '../ask-deadline.ts'
import { type UnitParts, fencedUnits } from '../fenced-unit.ts'
import { OpenOperations } from '../open-operations.ts'
import { type Reconciler, done, outOfTime, waiting } from '../../engine/reconcile/reconciler.ts'
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
      const { stage, needsReview } = await unit(loadStage)
      return askDeadlineAfter({
        lease,
        needsReview,
        expire: (attendance) =>
          unit(async (op, group) => {
            if (group) (await operationsOf(op, group)).expire(attendance)
          }),
        block: (obstacle) =>
          unit(async (op, group) => {
            if (group) (await operationsOf(op, group)).block(obstacle)
          }),
        async act() {
          if (stage === 'waiting') return waiting(waitMs)
          if (stage === 'applied')
            await atFailpoint(stepFailpoint('apply_security_group', 'vms'), () => unit(succeed))
          return done
        },
      })
    },
    gaveUp: (key, lease) =>
      unitFor(
        key,
        lease,
      )(async (op, group) => {
        if (group) (await operationsOf(op, group)).failKind('apply_security_group', outOfTime)
      }),
  }
}

const operationsOf = (op: Op, { id }: Row): Promise<OpenOperations> =>
  OpenOperations.on(op, { kind: 'security_group', id })

interface Stage {
  stage: 'idle' | 'waiting' | 'applied'
  needsReview: boolean
}

async function loadStage(op: Op, group: Row | null): Promise<Stage> {
  if (!group) return { stage: 'idle', needsReview: false }
  const operations = await operationsOf(op, group)
  operations.begin('apply_security_group', 'vms')
  if (!operations.isOpen('apply_security_group')) return { stage: 'idle', needsReview: false }
  const { behind, total } = await op.vmFirewalls.progressOf(group)
  if (behind > 0)
    operations.advance('apply_security_group', 'vms', Math.floor((1 - behind / total) * 100))
  return { stage: behind > 0 ? 'waiting' : 'applied', needsReview: operations.needReview }
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
