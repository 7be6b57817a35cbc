package dev.onejob.house;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.Test;

/** The rooms of core know each other in one direction only, and each rule can fail. */
class ImportArrowsTest {
  private static final String ROOT = "dev.onejob";
  private static final String CROOKED = "dev.onejob.house.crooked";
  private static final JavaClasses CORE =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(ROOT);
  private static final JavaClasses CROOKED_HOUSE = new ClassFileImporter().importPackages(CROOKED);

  private final Arrows ours = new Arrows(ROOT);
  private final Arrows crooked = new Arrows(CROOKED);

  @Test
  void domain_knows_nothing_of_ours() {
    ours.knowsOnly("domain").check(CORE);
    assertFails(crooked.knowsOnly("domain"), "crooked.domain.KnowsTheStore");
  }

  @Test
  void domain_and_intent_reach_nothing_outside_the_process() {
    ours.isPure("domain").check(CORE);
    assertFails(crooked.isPure("domain"), "java.net.URI");
  }

  @Test
  void intent_knows_domain() {
    ours.knowsOnly("intent", "domain").check(CORE);
    assertFails(crooked.knowsOnly("intent", "domain"), "crooked.intent.KnowsTheStore");
  }

  @Test
  void provider_knows_domain() {
    ours.knowsOnly("provider", "domain").check(CORE);
  }

  @Test
  void store_knows_domain() {
    ours.knowsOnly("store", "domain").check(CORE);
    assertFails(crooked.knowsOnly("store", "domain"), "crooked.store.KnowsTheEngine");
  }

  @Test
  void engine_knows_the_four_rooms_below_it() {
    ours.knowsOnly("engine", "domain", "intent", "provider", "store").check(CORE);
  }

  @Test
  void only_the_store_talks_sql() {
    ours.onlyTalksSql("store").check(CORE);
    assertFails(crooked.onlyTalksSql("store"), "crooked.engine.TalksSql");
  }

  @Test
  void no_rooms_know_each_other_both_ways() {
    ours.noCycles().check(CORE);
    assertFails(crooked.noCycles(), "Cycle detected");
  }

  @Test
  void no_class_builds_on_a_concrete_class_of_ours() {
    Shapes.noInheritanceFromConcrete(ROOT).check(CORE);
    assertFails(Shapes.noInheritanceFromConcrete(CROOKED), "crooked.store.BuildsOnAnother extends");
  }

  @Test
  void no_public_method_takes_a_flag() {
    Shapes.noPublicFlag().check(CORE);
    assertFails(Shapes.noPublicFlag(), "crooked.engine.TalksSql.run(boolean)");
  }

  private static void assertFails(ArchRule rule, String says) {
    assertThat(CROOKED_HOUSE).isNotEmpty();
    assertThatCode(() -> rule.check(CROOKED_HOUSE))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining(says);
  }
}
