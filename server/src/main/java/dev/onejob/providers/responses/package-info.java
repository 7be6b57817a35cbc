/**
 * OpenAI's Responses. In the background: one request submits the work and brings an id, after which
 * it is asked about, stopped and looked up by that id, also by another node. Whatever is not
 * understood is in doubt; a question that fails says nothing and is put again. Safe for many
 * threads; each call waits on its own.
 */
@NullMarked
package dev.onejob.providers.responses;

import org.jspecify.annotations.NullMarked;
