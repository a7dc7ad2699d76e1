import { Migration } from '@mikro-orm/migrations'

/** What is asked of the run that a machine is in, and which run that is. */
export class M0005VmVerbs extends Migration {
  override up(): void {
    this.addSql(wishes)
  }
}

// A run is what is between power on and power off, by its identity in the cluster. `run_wish` is
// about the run in `run_wish_uid` and no other: whether it was fulfilled is told by the run that is
// there. Together with `forced` it is written by use cases; `run_uid` and `restart_required` by the
// reconciler alone. The last look is forgotten, so that every machine is looked at once more and
// its run is known.
const wishes = `
alter table vm
  add column run_wish text check (run_wish in ('restart', 'pause', 'resume')),
  add column run_wish_uid text,
  add column forced boolean not null default false,
  add column run_uid text,
  add column restart_required boolean not null default false,
  add constraint vm_run_wish_of_run check ((run_wish is null) = (run_wish_uid is null));
update vm set seen_version = null where gone_at is null;`
