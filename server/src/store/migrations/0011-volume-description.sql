alter table volume add column description text not null default '' check (length(description) <= 500);
