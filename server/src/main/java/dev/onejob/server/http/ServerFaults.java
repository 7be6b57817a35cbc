package dev.onejob.server.http;

import dev.onejob.server.http.problem.Problem;
import dev.onejob.server.http.problem.ProblemType;
import dev.onejob.server.http.wire.ProblemWriter;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/** Answers for requests that never reach an operation, because they are not proper HTTP. */
final class ServerFaults implements Request.Handler {
  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    Object status = request.getAttribute(ErrorHandler.ERROR_STATUS);
    ProblemType type =
        ProblemType.ofStatus(status instanceof Integer code ? code : response.getStatus());
    Problem problem = Problem.of(type, type.title() + ".");
    response.setStatus(type.status());
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, ProblemWriter.MEDIA_TYPE);
    response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
    response.write(true, ByteBuffer.wrap(ProblemWriter.write(problem)), callback);
    return true;
  }
}
