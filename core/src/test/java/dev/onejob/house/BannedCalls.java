package dev.onejob.house;

import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.MemberReferenceTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.TreeScanner;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.lang.model.element.Name;

/**
 * Finds uses of static members by name: called, referred to with {@code ::}, written with their
 * package, or imported.
 */
final class BannedCalls extends TreeScanner<Void, Void> {
  private final SourceFile source;
  private final Set<String> banned;
  private final List<String> findings = new ArrayList<>();

  private BannedCalls(SourceFile source, Set<String> banned) {
    this.source = source;
    this.banned = banned;
  }

  static List<String> in(SourceFile source, Set<String> banned) {
    BannedCalls scan = new BannedCalls(source, banned);
    scan.scan(source.tree(), null);
    return scan.findings;
  }

  @Override
  public Void visitMemberSelect(MemberSelectTree node, Void nothing) {
    check(node, node.getExpression(), node.getIdentifier());
    return super.visitMemberSelect(node, nothing);
  }

  @Override
  public Void visitMemberReference(MemberReferenceTree node, Void nothing) {
    check(node, node.getQualifierExpression(), node.getName());
    return super.visitMemberReference(node, nothing);
  }

  private void check(Tree node, ExpressionTree qualifier, Name member) {
    String use = lastName(qualifier) + "." + member;
    if (banned.contains(use)) {
      findings.add("line " + source.line(node) + ": " + use);
    }
  }

  private static String lastName(ExpressionTree expression) {
    return switch (expression) {
      case IdentifierTree name -> name.getName().toString();
      case MemberSelectTree select -> select.getIdentifier().toString();
      default -> "";
    };
  }
}
