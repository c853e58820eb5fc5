/**
 * Rooms on threads. {@link io.escapement.engine.Engine} is what a program embeds.
 *
 * <pre>
 *   packages:  engine --&gt; edge, service, record, watch --&gt; loop --&gt; (rooms, codecs)
 * </pre>
 */
package io.escapement.engine;
