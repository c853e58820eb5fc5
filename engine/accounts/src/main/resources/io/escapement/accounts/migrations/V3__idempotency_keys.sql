-- Each key is stored in the transaction that it guards. Earlier migrations are not edited, because Flyway checks them.

ALTER TABLE effect RENAME TO idempotency_key;
