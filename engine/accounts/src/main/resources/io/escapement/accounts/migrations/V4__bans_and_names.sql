-- Until when an account is banned: 0 if it is not, the largest BIGINT for ever.

ALTER TABLE account ADD COLUMN banned_until_ms BIGINT DEFAULT 0 NOT NULL;

-- Up to 32 bytes of UTF-8, of which a case-folded key may have more characters than the name.
ALTER TABLE player_character ALTER COLUMN name SET DATA TYPE VARCHAR(32);
ALTER TABLE player_character ALTER COLUMN name_key SET DATA TYPE VARCHAR(96);
