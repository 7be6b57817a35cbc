package dev.onejob.document;

/** JSON pointers (RFC 6901), and the dotted form that people read. */
public final class Pointers {
  private Pointers() {}

  /** The place of a member. */
  public static String child(String pointer, String name) {
    return pointer + "/" + name.replace("~", "~0").replace("/", "~1");
  }

  /** The place of an item. */
  public static String child(String pointer, int index) {
    return pointer + "/" + index;
  }

  /** Without its last step; the empty pointer stays as it is. */
  public static String parent(String pointer) {
    int slash = pointer.lastIndexOf('/');
    return slash < 0 ? "" : pointer.substring(0, slash);
  }

  /** {@code kinds.demo.route.0}; empty for the document as a whole. */
  public static String dotted(String pointer) {
    return pointer.isEmpty()
        ? ""
        : pointer.substring(1).replace('/', '.').replace("~1", "/").replace("~0", "~");
  }
}
