alter table network drop constraint network_check3;
alter table network add constraint network_tag_of_driver check (
  (driver is not null and driver in ('bridge-vlan', 'ovn-localnet'))
  = (segment is not null and bridge is not null)
);
