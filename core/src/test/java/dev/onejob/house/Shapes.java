package dev.onejob.house;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;

/** How classes and methods may be shaped. */
final class Shapes {
  private Shapes() {}

  /** No class of ours builds on a class of ours that is already whole. */
  static ArchRule noInheritanceFromConcrete(String root) {
    return classes().should(new NotExtendConcrete(root));
  }

  /** A two-way choice is an enum or two methods. */
  static ArchRule noPublicFlag() {
    return methods().that().arePublic().should(new TakeNoBoolean());
  }

  private static final class NotExtendConcrete extends ArchCondition<JavaClass> {
    private final String root;

    NotExtendConcrete(String root) {
      super("not extend a concrete class of ours");
      this.root = root;
    }

    @Override
    public void check(JavaClass type, ConditionEvents events) {
      JavaClass above = type.getRawSuperclass().orElse(null);
      boolean broken =
          above != null
              && above.getPackageName().startsWith(root)
              && !type.getEnclosingClass().equals(java.util.Optional.of(above))
              && !above.getModifiers().contains(JavaModifier.ABSTRACT);
      events.add(new SimpleConditionEvent(type, !broken, type.getName() + " extends " + above));
    }
  }

  private static final class TakeNoBoolean extends ArchCondition<JavaMethod> {
    TakeNoBoolean() {
      super("take no boolean");
    }

    @Override
    public void check(JavaMethod method, ConditionEvents events) {
      boolean takesOne =
          method.getRawParameterTypes().stream()
              .anyMatch(type -> type.isEquivalentTo(boolean.class));
      events.add(new SimpleConditionEvent(method, !takesOne, method.getFullName()));
    }
  }
}
