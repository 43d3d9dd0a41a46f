package dev.contrail.console.http;

import dev.contrail.console.web.ErrorAnswer;
import dev.contrail.console.web.Json;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** What is answered to requests that are refused before any endpoint sees them. */
final class PlainErrors implements Request.Handler {
  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, Json.TYPE);
    Content.Sink.write(
        response,
        true,
        Json.text(ErrorAnswer.of("refused", "The request cannot be understood.")),
        callback);
    return true;
  }
}
