package dev.onejob.contract;

import com.google.errorprone.annotations.Immutable;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;
import dev.cel.runtime.CelFunctionBinding;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/** What rules have beyond the language itself: exact decimals, and a few questions about texts. */
final class RuleFunctions {
  /** The type of exact numbers that are no integers of 64 bits. */
  static final CelType DECIMAL = OpaqueType.create("decimal");

  private static final int LITERAL_CHARS_MAX = 1_000;

  private final List<CelFunctionDecl> declarations = new ArrayList<>();
  private final List<CelFunctionBinding> bindings = new ArrayList<>();

  RuleFunctions() {
    mixed("_+_", "add", SimpleType.DYN, (a, b) -> Decimal.of(a.add(b)));
    mixed("_-_", "subtract", SimpleType.DYN, (a, b) -> Decimal.of(a.subtract(b)));
    mixed("_*_", "multiply", SimpleType.DYN, (a, b) -> Decimal.of(a.multiply(b)));
    mixed("_<_", "less", SimpleType.BOOL, (a, b) -> a.compareTo(b) < 0);
    mixed("_<=_", "less_equals", SimpleType.BOOL, (a, b) -> a.compareTo(b) <= 0);
    mixed("_>_", "greater", SimpleType.BOOL, (a, b) -> a.compareTo(b) > 0);
    mixed("_>=_", "greater_equals", SimpleType.BOOL, (a, b) -> a.compareTo(b) >= 0);
    declare("-_", overload("negate_decimal", SimpleType.DYN, DECIMAL));
    bindings.add(
        CelFunctionBinding.from(
            "negate_decimal", Decimal.class, it -> Decimal.of(Decimal.exact(it).negate())));
    numbers();
    texts();
  }

  List<CelFunctionDecl> declarations() {
    return declarations;
  }

  List<CelFunctionBinding> bindings() {
    return bindings;
  }

  @Immutable
  private interface OfTwo {
    Object apply(BigDecimal a, BigDecimal b);
  }

  /** A decimal with a decimal, and with an integer on either side. */
  private void mixed(String operator, String name, CelType result, OfTwo act) {
    declare(
        operator,
        overload(name + "_decimal", result, DECIMAL, DECIMAL),
        overload(name + "_decimal_int64", result, DECIMAL, SimpleType.INT),
        overload(name + "_int64_decimal", result, SimpleType.INT, DECIMAL));
    bind(name + "_decimal", Decimal.class, Decimal.class, act);
    bind(name + "_decimal_int64", Decimal.class, Long.class, act);
    bind(name + "_int64_decimal", Long.class, Decimal.class, act);
  }

  private <A, B> void bind(String id, Class<A> left, Class<B> right, OfTwo act) {
    bindings.add(
        CelFunctionBinding.from(
            id, left, right, (a, b) -> act.apply(Decimal.exact(a), Decimal.exact(b))));
  }

  private void numbers() {
    declare("decimal", overload("string_to_decimal", SimpleType.DYN, SimpleType.STRING));
    bindings.add(CelFunctionBinding.from("string_to_decimal", String.class, RuleFunctions::read));
    declare("sum", overload("sum_list", SimpleType.DYN, ListType.create(SimpleType.DYN)));
    bindings.add(CelFunctionBinding.from("sum_list", List.class, RuleFunctions::sum));
    declare("abs", overload("abs_number", SimpleType.DYN, SimpleType.DYN));
    bindings.add(
        CelFunctionBinding.from(
            "abs_number", Object.class, it -> Decimal.of(Decimal.exact(it).abs())));
    declare("round", overload("round_number", SimpleType.DYN, SimpleType.DYN, SimpleType.INT));
    bindings.add(
        CelFunctionBinding.from("round_number", Object.class, Long.class, Decimal::rounded));
    declare(
        "ascending", overload("ascending_list", SimpleType.BOOL, ListType.create(SimpleType.DYN)));
    bindings.add(CelFunctionBinding.from("ascending_list", List.class, RuleFunctions::ascending));
  }

  private void texts() {
    declare("words", overload("words_string", SimpleType.INT, SimpleType.STRING));
    bindings.add(CelFunctionBinding.from("words_string", String.class, RuleFunctions::words));
    declare("language", overload("language_string", SimpleType.STRING, SimpleType.STRING));
    bindings.add(CelFunctionBinding.from("language_string", String.class, Languages::of));
  }

  private static Object read(String text) {
    if (text.length() > LITERAL_CHARS_MAX) {
      throw new IllegalArgumentException("decimal: at most " + LITERAL_CHARS_MAX + " characters");
    }
    return Decimal.of(new BigDecimal(text));
  }

  private static Object sum(List<?> numbers) {
    BigDecimal sum = BigDecimal.ZERO;
    for (Object number : numbers) {
      sum = sum.add(Decimal.exact(number));
    }
    return Decimal.of(sum);
  }

  private static Object ascending(List<?> items) {
    for (int i = 1; i < items.size(); i++) {
      if (compare(items.get(i - 1), items.get(i)) > 0) {
        return false;
      }
    }
    return true;
  }

  private static int compare(Object a, Object b) {
    return a instanceof String left && b instanceof String right
        ? left.compareTo(right)
        : Decimal.exact(a).compareTo(Decimal.exact(b));
  }

  private static Object words(String text) {
    long words = 0;
    boolean inside = false;
    for (int i = 0; i < text.length(); i++) {
      boolean space = Character.isWhitespace(text.charAt(i));
      words += !space && !inside ? 1 : 0;
      inside = !space;
    }
    return words;
  }

  private void declare(String name, CelOverloadDecl... overloads) {
    declarations.add(CelFunctionDecl.newFunctionDeclaration(name, overloads));
  }

  private static CelOverloadDecl overload(String id, CelType result, CelType... parameters) {
    return CelOverloadDecl.newGlobalOverload(id, result, parameters);
  }
}
