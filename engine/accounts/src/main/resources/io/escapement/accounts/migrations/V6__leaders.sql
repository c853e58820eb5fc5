-- The leaders are read often, and their places are counted.

CREATE INDEX player_character_kills ON player_character (kills);
