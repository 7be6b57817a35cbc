package dev.onejob.house;

import java.util.List;

/** Something that must hold for every source. */
interface Rule {
  /** What breaks the rule, each with its line; empty if nothing does. */
  List<String> findings(SourceFile source);
}
