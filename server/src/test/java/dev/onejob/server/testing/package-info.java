/** What tests of the server stand on: a node, a client, and the check against the document. */
package dev.onejob.server.testing;
