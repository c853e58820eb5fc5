/**
 * Rooms on threads. {@link io.escapement.engine.Engine} is what a program embeds.
 *
 * <pre>
 *   packages:  engine --&gt; edge --&gt; loop --&gt; (rooms, codecs)
 * </pre>
 */
package io.escapement.engine;
