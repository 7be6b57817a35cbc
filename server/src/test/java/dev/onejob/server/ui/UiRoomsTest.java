package dev.onejob.server.ui;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class UiRoomsTest {
  private static final JavaClasses SERVER =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.onejob.server");

  @Test
  void parts_of_the_dashboard_stand_on_the_foundation_and_there_are_no_circles() {
    slices().matching("dev.onejob.server.(ui.*)").should().beFreeOfCycles().check(SERVER);
    noClasses()
        .that(
            resideInAPackage("dev.onejob.server.ui.page")
                .or(resideInAPackage("dev.onejob.server.ui.live")))
        .should()
        .dependOnClassesThat(
            resideInAPackage("dev.onejob.server.ui..")
                .and(
                    DescribedPredicate.not(
                        resideInAPackage("dev.onejob.server.ui.page")
                            .or(resideInAPackage("dev.onejob.server.ui.live")))))
        .check(SERVER);
  }

  @Test
  void only_the_service_knows_the_dashboard() {
    noClasses()
        .that()
        .resideOutsideOfPackages("dev.onejob.server", "dev.onejob.server.ui..")
        .should()
        .dependOnClassesThat(resideInAPackage("dev.onejob.server.ui.."))
        .check(SERVER);
  }
}
