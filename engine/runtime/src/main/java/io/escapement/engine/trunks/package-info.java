/** Options of the trunk server, which the edge and the loops read after {@code Engine.launch} has frozen them. */
package io.escapement.engine.trunks;
