package dev.onejob.house;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Which way imports point (ARCHITECTURE.md). */
class ImportArrowsTest {
  private static final JavaClasses CORE =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.onejob");

  @Test
  void each_room_knows_only_the_rooms_beneath_it() {
    layeredArchitecture()
        .consideringOnlyDependenciesInAnyPackage("dev.onejob..")
        .layer("domain")
        .definedBy("dev.onejob.domain..")
        .layer("intent")
        .definedBy("dev.onejob.intent..")
        .layer("provider")
        .definedBy("dev.onejob.provider..")
        .layer("store")
        .definedBy("dev.onejob.store..")
        .layer("engine")
        .definedBy("dev.onejob.engine..")
        .whereLayer("engine")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("store")
        .mayOnlyBeAccessedByLayers("engine")
        .whereLayer("intent")
        .mayOnlyBeAccessedByLayers("engine")
        .whereLayer("provider")
        .mayOnlyBeAccessedByLayers("engine")
        .whereLayer("domain")
        .mayOnlyBeAccessedByLayers("intent", "provider", "store", "engine")
        .check(CORE);
  }

  @Test
  void the_rooms_form_no_cycle() {
    slices().matching("dev.onejob.(*)..").should().beFreeOfCycles().check(CORE);
  }

  @Test
  void the_domain_knows_no_database_no_network_and_no_clock() {
    noClasses()
        .that()
        .resideInAPackage("dev.onejob.domain..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("java.sql..", "javax.sql..", "java.net..")
        .orShould()
        .dependOnClassesThat()
        .haveFullyQualifiedName("java.time.Clock")
        .orShould()
        .callMethod(java.time.Instant.class, "now")
        .check(CORE);
  }

  @Test
  void only_the_store_knows_sql() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.onejob.store..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("java.sql..", "org.postgresql..")
        .check(CORE);
  }
}
