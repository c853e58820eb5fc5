/**
 * Generates JavaScript codecs from SBE schemas. {@link io.escapement.javascript.JavaScript} is a target of the SBE
 * tool; it writes one ES module without dependencies and its TypeScript declarations.
 *
 * <pre>
 *   schema.xml -- SBE tool --> Ir -- SchemaReader --> Schema -- ModuleWriter --> name.js
 *                                                           -- TypesWriter  --> name.d.ts
 * </pre>
 *
 * <p>A decoder is a flyweight over a {@code DataView}. Its {@code wrap} validates the whole message as
 * {@code SchemaRules} does in Java, and throws a {@code RangeError} otherwise, so that no later access reads outside
 * the message. An encoder takes a plain object. A field of 64 bits is a {@code number}, exact up to 2<sup>53</sup>;
 * with the semantic type {@code id} it is a {@code bigint}.
 */
package io.escapement.javascript;
