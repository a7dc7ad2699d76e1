-- Older clients send a port with each rule. ICMP rules keep it, and it has no effect.
alter table security_group_rule drop constraint security_group_rule_check3;
alter table security_group_rule add constraint security_group_rule_ports_protocol
  check (port_from is null or protocol in ('tcp', 'udp', 'icmp'));

alter table vm_template drop constraint vm_template_os_type_check;
alter table vm_template add constraint vm_template_os_type_check
  check (os_type in ('linux', 'windows', 'other'));

alter table vm drop constraint vm_os_type_check;
alter table vm add constraint vm_os_type_check check (os_type in ('linux', 'windows', 'other'));
