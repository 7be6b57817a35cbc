package dev.onejob.house;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import java.util.stream.Stream;

/** Which room may know which, for the rooms under a root package. */
final class Arrows {
  private final String root;

  Arrows(String root) {
    this.root = root;
  }

  /** Of ours, a room knows itself and the rooms named here. */
  ArchRule knowsOnly(String room, String... others) {
    String[] allowed =
        Stream.concat(Stream.of(room), Stream.of(others)).map(this::within).toArray(String[]::new);
    return classes()
        .that()
        .resideInAPackage(within(room))
        .should()
        .onlyDependOnClassesThat(
            not(resideInAPackage(root + "..")).or(resideInAnyPackage(allowed)));
  }

  /** A room that reaches nothing outside the process. */
  ArchRule isPure(String room) {
    return noClasses()
        .that()
        .resideInAPackage(within(room))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "java.sql..", "javax.sql..", "java.net..", "java.io..", "java.nio.file..");
  }

  /** Only the room that is named talks SQL. */
  ArchRule onlyTalksSql(String room) {
    return noClasses()
        .that()
        .resideOutsideOfPackage(within(room))
        .should()
        .dependOnClassesThat()
        .resideInAPackage("java.sql..");
  }

  ArchRule noCycles() {
    return SlicesRuleDefinition.slices().matching(root + ".(*)..").should().beFreeOfCycles();
  }

  private String within(String room) {
    return root + "." + room + "..";
  }
}
