package dev.onejob.contract;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Lists every member that a schema declares nowhere, also where the schema would let it pass:
 * models add keys of their own, and readers begin to rely on them.
 */
public final class UndeclaredMembers {
  /** A member at the top level that the contract does not know. */
  public static final String CHECK = "undeclared-member";

  /** Most that are listed. */
  private static final int LISTED_MAX = 1_000;

  private UndeclaredMembers() {}

  /** The places of all of them, as JSON pointers, outer ones first. */
  public static List<String> of(SchemaPlaces places, JsonNode value) {
    List<String> found = new ArrayList<>();
    places.walk(
        value,
        new SchemaPlaces.Visitor() {
          @Override
          public void visit(String pointer, JsonNode at, List<ObjectNode> schemas) {}

          @Override
          public void undeclared(String pointer) {
            if (found.size() < LISTED_MAX) {
              found.add(pointer);
            }
          }
        });
    return found;
  }

  /** Whether a place is at the top level. */
  public static boolean isTop(String pointer) {
    return pointer.lastIndexOf('/') == 0;
  }

  /**
   * Whether a schema says by itself what may be at the top level besides what it declares: then its
   * word counts, and otherwise nothing may.
   */
  public static boolean saysItself(JsonNode schema) {
    return schema.has("additionalProperties") || schema.has("unevaluatedProperties");
  }
}
