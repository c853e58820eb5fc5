/** A room and its rule, of which a test compiles newer versions. */
package io.escapement.rules;
