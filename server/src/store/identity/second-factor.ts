import { raw } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { type SecondFactorView } from '../../domain/identity/second-factor.ts'
import { type Reader, one } from '../../engine/database/sql/reader.ts'
import { slot, statement } from '../../engine/database/sql/statement.ts'
import { UnitStore } from '../../engine/database/unit-store.ts'
import { Secret } from '../../runtime/config/secret.ts'
import { holders } from './principal.ts'
import { SecondFactor } from './second-factor-entity.ts'

/** Writes second factors in the transaction of a unit of work. */
export class SecondFactorStore extends UnitStore {
  /** Returns the second factor of the user, confirmed or not, locked until the unit ends. */
  find(userId: string): Promise<SecondFactor | null> {
    return this.lockRow(SecondFactor, { userId })
  }

  /** The time of the unit by the database's clock. */
  get nowMs(): number {
    return Date.parse(this.unit.now)
  }

  /** Stores the secret of an unconfirmed second factor, and replaces an earlier one. */
  begin(
    owner: Pick<SecondFactor, 'userId' | 'tenantId'>,
    existing: SecondFactor | null,
    secret: Secret,
  ): void {
    const sealed = this.unit.seal.close(secret.reveal())
    if (existing) existing.secret = sealed
    else this.unit.em.create(SecondFactor, { ...owner, secret: sealed })
  }

  secretOf(factor: SecondFactor): Secret {
    return new Secret(this.unit.seal.open(Buffer.from(factor.secret)))
  }

  confirm(factor: SecondFactor): void {
    factor.confirmedAt = raw('now()')
  }

  remove(factor: SecondFactor): void {
    this.unit.em.remove(factor)
  }
}

/** Reads second factors for their users. */
export class SecondFactorReads {
  readonly #reader: Reader

  constructor(reader: Reader) {
    this.#reader = reader
  }

  /** Returns the second factor of the user. Null when there is no such user. */
  of(userId: string): Promise<SecondFactorView | null> {
    const found = statement('secondFactor.of', (db) =>
      holders(db)
        .leftJoin('second_factor', 'second_factor.user_id', 'user_account.id')
        .select('confirmed_at as confirmedAt')
        .select(
          sql<number>`case when confirmed_at is null then 0 else cardinality(recovery_hashes) end`.as(
            'recoveryCodesLeft',
          ),
        )
        .where('user_account.id', '=', slot<string>('userId')),
    )
    return one(this.#reader, found, { userId })
  }
}
