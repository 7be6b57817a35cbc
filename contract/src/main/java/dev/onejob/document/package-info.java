/**
 * Documents that operators write, in YAML or JSON: read strictly, with the line of every setting,
 * held against a schema, and complained about in plain words. Holds no threads. Whatever is wrong
 * is a {@link ConfigException} with everything that was found.
 */
@NullMarked
package dev.onejob.document;

import org.jspecify.annotations.NullMarked;
