package dev.onejob.contract;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The two rooms of this module, and what they know. */
class ContractRoomsTest {
  private static final JavaClasses OURS =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.onejob");

  @Test
  void documents_know_the_strict_reader_and_nothing_of_contracts() {
    knowsOnly("document", "dev.onejob.document", "dev.onejob.intent", "dev.onejob.domain");
  }

  @Test
  void contracts_know_documents_and_the_seam_and_no_engine_and_no_store() {
    knowsOnly(
        "contract",
        "dev.onejob.contract",
        "dev.onejob.document",
        "dev.onejob.intent",
        "dev.onejob.domain",
        "dev.onejob.provider");
  }

  @Test
  void core_knows_neither_the_validator_nor_the_language_of_rules() {
    noClasses()
        .that()
        .resideInAnyPackage(
            "dev.onejob.domain",
            "dev.onejob.intent",
            "dev.onejob.provider",
            "dev.onejob.store",
            "dev.onejob.engine")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "com.networknt..", "dev.cel..", "dev.onejob.contract", "tools.jackson..")
        .check(OURS);
  }

  private static void knowsOnly(String room, String... allowed) {
    DescribedPredicate<JavaClass> ours = JavaClass.Predicates.resideInAPackage("dev.onejob..");
    DescribedPredicate<JavaClass> known = JavaClass.Predicates.resideInAnyPackage(allowed);
    classes()
        .that()
        .resideInAPackage("dev.onejob." + room)
        .should()
        .onlyDependOnClassesThat(DescribedPredicate.not(ours).or(known))
        .check(OURS);
  }
}
