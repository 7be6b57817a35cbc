/** Real nodes in processes of their own, over one PostgreSQL, spoken to over HTTP. */
package dev.onejob.system;
