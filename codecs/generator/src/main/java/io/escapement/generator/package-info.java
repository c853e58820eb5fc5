/**
 * Generates code from SBE schemas: {@link io.escapement.generator.GenerateMojo} is the goal of the Maven plugin, and
 * {@link io.escapement.generator.Generator} does its work.
 * {@link io.escapement.generator.CompactMojo} is a second goal, which makes modules smaller.
 *
 * <pre>
 *   schema.xml -- SBE tool --&gt; Ir ---------------------------------&gt; encoders and decoders of the SBE tool
 *                              |-- SchemaReader --&gt; Schema -- LayoutWriter     --&gt; NameLayout.java
 *                                                         |-- EncoderWriter    --&gt; NameEncoder.java
 *                                                         |-- DispatcherWriter --&gt; NameDispatcher.java
 *                                                         |-- ModuleWriter     --&gt; name.js
 *                                                         |-- TypesWriter      --&gt; name.d.ts
 * </pre>
 *
 * <p>Nothing but the schema decides what is written, so a wire has one source.
 */
package io.escapement.generator;
