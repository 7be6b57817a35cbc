package dev.onejob.contract;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelIssue;
import dev.cel.common.CelOptions;
import dev.cel.common.CelValidationException;
import dev.cel.common.CelValidationResult;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.navigation.CelNavigableAst;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.extensions.CelExtensions;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import java.util.List;
import java.util.stream.Stream;

/**
 * CEL as contracts have it.
 *
 * <p>Numbers are exact: an integer of 64 bits is an {@code int}, every other number a {@code
 * decimal}, and there are no doubles at all. Patterns of {@code matches} take linear time;
 * comprehensions and the size of values are bounded by {@link RuleCost}.
 */
public final class RuleLanguage {
  /** Longest expression, in characters. */
  static final int CHARS_MAX = 10_000;

  private static final CelOptions OPTIONS =
      CelOptions.current()
          .maxExpressionCodePointSize(CHARS_MAX)
          .comprehensionMaxIterations(RuleCost.ITERATIONS_MAX)
          .build();
  private static final RuleFunctions FUNCTIONS = new RuleFunctions();
  private static final CelCompiler COMPILER =
      CelCompilerFactory.standardCelCompilerBuilder()
          .setOptions(OPTIONS)
          .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
          .addLibraries(CelExtensions.strings(), CelExtensions.sets(OPTIONS))
          .addVar("input", SimpleType.DYN)
          .addVar("output", SimpleType.DYN)
          .addVar("usage", SimpleType.DYN)
          .addFunctionDeclarations(FUNCTIONS.declarations())
          .setResultType(SimpleType.BOOL)
          .build();
  private static final CelRuntime RUNTIME =
      CelRuntimeFactory.standardCelRuntimeBuilder()
          .setOptions(OPTIONS)
          .addLibraries(CelExtensions.strings(), CelExtensions.sets(OPTIONS))
          .addFunctionBindings(FUNCTIONS.bindings())
          .build();

  /** What is wrong with a rule, in plain words; empty if it can be used. */
  public List<String> complaints(Rule rule) {
    CelValidationResult result = COMPILER.compile(rule.expression());
    if (result.hasError()) {
      return result.getErrors().stream().map(RuleLanguage::complaint).toList();
    }
    try {
      List<String> doubles = doubles(result.getAst());
      if (doubles.isEmpty()) {
        RUNTIME.createProgram(result.getAst());
      }
      return doubles;
    } catch (CelValidationException | CelEvaluationException e) {
      return List.of(String.valueOf(e.getMessage()));
    }
  }

  /** A rule ready to judge; one with complaints is an {@link IllegalArgumentException}. */
  CompiledRule compile(Rule rule) {
    List<String> complaints = complaints(rule);
    if (!complaints.isEmpty()) {
      throw new IllegalArgumentException("rule " + rule.name() + ": " + complaints.getFirst());
    }
    try {
      return new CompiledRule(
          rule, RUNTIME.createProgram(COMPILER.compile(rule.expression()).getAst()));
    } catch (CelValidationException | CelEvaluationException e) {
      throw new IllegalArgumentException("rule " + rule.name() + ": " + e.getMessage(), e);
    }
  }

  private static String complaint(CelIssue issue) {
    return "line %d, column %d of the rule: %s"
        .formatted(
            issue.getSourceLocation().getLine(),
            issue.getSourceLocation().getColumn() + 1,
            issue.getMessage());
  }

  /** A double would be compared with exact numbers, and be another by a hair. */
  private static List<String> doubles(CelAbstractSyntaxTree ast) {
    return CelNavigableAst.fromAst(ast)
        .getRoot()
        .allNodes()
        .flatMap(node -> isDouble(node.expr()))
        .toList();
  }

  private static Stream<String> isDouble(CelExpr expr) {
    return switch (expr.exprKind().getKind()) {
      case CONSTANT ->
          expr.constant().getKind() == CelConstant.Kind.DOUBLE_VALUE
              ? Stream.of(
                  "%s is a double, and numbers here are exact: write decimal('%s')"
                      .formatted(expr.constant().doubleValue(), expr.constant().doubleValue()))
              : Stream.empty();
      case CALL ->
          expr.call().function().equals("double")
              ? Stream.of("double() rounds, and numbers here are exact: use decimal()")
              : Stream.empty();
      default -> Stream.empty();
    };
  }
}
