alter table vm drop constraint vm_run_wish_check;
alter table vm add constraint vm_run_wish_check
  check (run_wish in ('restart', 'pause', 'resume', 'reboot'));
