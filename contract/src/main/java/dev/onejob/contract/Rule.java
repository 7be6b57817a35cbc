package dev.onejob.contract;

/**
 * A semantic rule: an expression in CEL over {@code input}, {@code output} and {@code usage} that
 * is true of every answer that keeps the contract.
 *
 * @param name unique within its contract or sample
 * @param expression in CEL; see {@link RuleLanguage}
 * @param message for people: what the rule demands
 * @param path the place in the answer that it is about, as a JSON pointer; empty for all of it
 */
public record Rule(String name, String expression, String message, String path) {}
