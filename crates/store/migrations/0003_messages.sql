-- Messages of one flow go out in the order in which they were written: a claim looks here for one that comes before.
CREATE INDEX effect_unsent ON effect (instance, created_at) WHERE status = 'pending' AND kind = 'notify';
