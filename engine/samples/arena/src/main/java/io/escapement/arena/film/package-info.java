/** Films of finished rounds, made from the log for players who open the link of a round. */
package io.escapement.arena.film;
