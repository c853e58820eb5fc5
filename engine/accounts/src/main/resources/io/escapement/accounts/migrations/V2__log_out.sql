-- Which trunk an account plays through is the rooms' affair. By the key a log-out that is tried again knows itself.

ALTER TABLE account DROP COLUMN session_number;
ALTER TABLE account DROP COLUMN replaced_session;
ALTER TABLE account RENAME COLUMN session_key TO log_out_key;
