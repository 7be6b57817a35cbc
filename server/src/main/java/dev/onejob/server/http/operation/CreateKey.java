package dev.onejob.server.http.operation;

import dev.onejob.domain.Owner;
import dev.onejob.server.access.ApiKeys;
import dev.onejob.server.access.Credential;
import dev.onejob.server.access.NewKey;
import dev.onejob.server.access.Role;
import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.request.Members;
import dev.onejob.server.http.request.RequestBody;
import dev.onejob.server.http.wire.KeyWriter;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** {@code POST /v1/keys}: makes an API key and shows its secret this once. */
final class CreateKey implements Operation {
  private static final Set<String> MEMBERS = Set.of("name", "role", "owner");

  private final ApiKeys keys;

  CreateKey(ApiKeys keys) {
    this.keys = keys;
  }

  @Override
  public void handle(Context ctx, Credential caller) throws IOException {
    Members members = Members.read(RequestBody.read(ctx.req()), MEMBERS);
    Role role = Members.required("role", members.word("role", Role.values(), Role::word));
    Owner owner = owner(members.text("owner"), caller);
    String name = Members.required("name", members.text("name"));
    Answers.created(ctx, KeyWriter.write(made(name, role, owner)));
  }

  private NewKey made(String name, Role role, Owner owner) {
    try {
      return keys.create(name, role, owner);
    } catch (IllegalArgumentException e) {
      throw Problem.field("/name", String.valueOf(e.getMessage()));
    }
  }

  private static Owner owner(@Nullable String text, Credential caller) {
    if (text == null) {
      return caller.owner();
    }
    try {
      return ApiKeys.requireFree(new Owner(text));
    } catch (IllegalArgumentException e) {
      throw Problem.field("/owner", String.valueOf(e.getMessage()));
    }
  }
}
