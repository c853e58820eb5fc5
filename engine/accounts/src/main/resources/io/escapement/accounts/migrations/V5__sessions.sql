-- A session token names the epoch in which it was issued, and is void in a later one.

ALTER TABLE account ADD COLUMN session_epoch BIGINT DEFAULT 0 NOT NULL;

-- Whether a log-in with the password ends the sessions before.

ALTER TABLE account ADD COLUMN one_session BOOLEAN DEFAULT FALSE NOT NULL;
