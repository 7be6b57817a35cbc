package dev.onejob.house;

import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.CompoundAssignmentTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.TreeScanner;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Finds SQL that is put together: a statement, a text block, or a name that holds one, beside a
 * {@code +} or under a method that makes another text of it.
 */
final class SqlPieces extends TreeScanner<Void, Void> {
  private static final Pattern STATEMENT =
      Pattern.compile(
          "\\s*(SELECT|INSERT|UPDATE|DELETE|WITH|MERGE|LOCK|SET|NOTIFY|LISTEN|CREATE|ALTER|DROP"
              + "|TRUNCATE|FROM|WHERE|AND|ORDER BY|LIMIT|RETURNING|FOR UPDATE|FOR NO KEY)\\b.*",
          Pattern.DOTALL);
  private static final Set<String> MAKES_ANOTHER =
      Set.of("formatted", "concat", "replace", "replaceAll", "replaceFirst", "repeat");
  private static final Set<String> TAKES_PIECES = Set.of("format", "append", "join");

  private final SourceFile source;
  private final Set<String> sqlNames = new HashSet<>();
  private final List<String> findings = new ArrayList<>();

  private SqlPieces(SourceFile source) {
    this.source = source;
  }

  static List<String> in(SourceFile source) {
    SqlPieces scan = new SqlPieces(source);
    scan.nameStatements();
    scan.scan(source.tree(), null);
    return scan.findings;
  }

  private void nameStatements() {
    new TreeScanner<Void, Void>() {
      @Override
      public Void visitVariable(VariableTree variable, Void nothing) {
        if (variable.getInitializer() instanceof LiteralTree literal && isSql(literal)) {
          sqlNames.add(variable.getName().toString());
        }
        return super.visitVariable(variable, nothing);
      }
    }.scan(source.tree(), null);
  }

  @Override
  public Void visitBinary(BinaryTree node, Void nothing) {
    if (node.getKind() == Tree.Kind.PLUS
        && (isSql(node.getLeftOperand()) || isSql(node.getRightOperand()))) {
      found(node, "+");
    }
    return super.visitBinary(node, nothing);
  }

  @Override
  public Void visitCompoundAssignment(CompoundAssignmentTree node, Void nothing) {
    if (isSql(node.getExpression())) {
      found(node, "+=");
    }
    return super.visitCompoundAssignment(node, nothing);
  }

  @Override
  public Void visitMethodInvocation(MethodInvocationTree call, Void nothing) {
    if (call.getMethodSelect() instanceof MemberSelectTree select) {
      String method = select.getIdentifier().toString();
      boolean onSql = MAKES_ANOTHER.contains(method) && isSql(select.getExpression());
      boolean withSql =
          TAKES_PIECES.contains(method) && call.getArguments().stream().anyMatch(this::isSql);
      if (onSql || withSql) {
        found(call, "." + method + "(");
      }
    }
    return super.visitMethodInvocation(call, nothing);
  }

  private boolean isSql(ExpressionTree expression) {
    return switch (expression) {
      case LiteralTree literal -> literal.getValue() instanceof String text && isSql(literal, text);
      case IdentifierTree name -> sqlNames.contains(name.getName().toString());
      case MemberSelectTree select -> sqlNames.contains(select.getIdentifier().toString());
      case ParenthesizedTree inner -> isSql(inner.getExpression());
      default -> false;
    };
  }

  private boolean isSql(LiteralTree literal, String text) {
    return source.textOf(literal).startsWith("\"\"\"") || STATEMENT.matcher(text).matches();
  }

  private void found(Tree node, String how) {
    findings.add("line " + source.line(node) + ": SQL put together with " + how);
  }
}
