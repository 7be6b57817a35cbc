package dev.onejob.providers;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

final class ProviderRoomsTest {
  private static final String[] ADAPTER_ROOMS = {
    "sandbox", "openai", "responses", "anthropic", "httpasync", "httpkeyed", "command", "worker"
  };
  private static final JavaClasses ADAPTERS =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.onejob.providers");

  @Test
  void adapters_know_of_ours_only_the_seam_and_the_domain() {
    DescribedPredicate<JavaClass> ours = resideInAPackage("dev.onejob..");
    DescribedPredicate<JavaClass> allowed =
        resideInAPackage("dev.onejob.provider")
            .or(resideInAPackage("dev.onejob.domain"))
            .or(resideInAPackage("dev.onejob.providers.."));
    classes()
        .that()
        .resideInAPackage("dev.onejob.providers..")
        .should()
        .onlyDependOnClassesThat(DescribedPredicate.not(ours).or(allowed))
        .check(ADAPTERS);
  }

  @Test
  void no_adapter_knows_another_and_there_are_no_circles() {
    slices().matching("dev.onejob.(providers.*)").should().beFreeOfCycles().check(ADAPTERS);
    for (String adapter : ADAPTER_ROOMS) {
      classes()
          .that()
          .resideInAPackage("dev.onejob.providers." + adapter)
          .should()
          .onlyBeAccessed()
          .byAnyPackage("dev.onejob.providers." + adapter)
          .check(ADAPTERS);
    }
  }

  @Test
  void every_type_is_found_by_its_name_and_has_a_closed_schema() {
    assertThat(ProviderTypes.ALL)
        .extracting(ProviderType::name)
        .containsExactly(
            "anthropic-messages",
            "command",
            "http-async",
            "http-keyed",
            "openai-chat",
            "openai-responses",
            "sandbox",
            "worker");
    for (ProviderType type : ProviderTypes.ALL) {
      assertThat(ProviderTypes.named(type.name())).contains(type);
      assertThat(type.settingsSchema().path("type").asString()).isEqualTo("object");
      assertThat(type.settingsSchema().path("additionalProperties").asBoolean(true)).isFalse();
    }
    assertThat(ProviderTypes.named("carrier-pigeon")).isEmpty();
  }
}
