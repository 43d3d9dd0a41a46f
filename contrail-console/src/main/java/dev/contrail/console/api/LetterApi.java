package dev.contrail.console.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.contrail.console.desk.Desk;
import dev.contrail.console.desk.Letter;
import dev.contrail.console.desk.Refusal;
import dev.contrail.console.web.Asked;
import dev.contrail.console.web.Need;
import dev.contrail.console.web.Payloads;
import dev.contrail.console.web.Router;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.operations.index.Groups;
import dev.contrail.operations.index.Neighbours;
import dev.contrail.operations.index.Page;
import dev.contrail.operations.replay.Edits;
import dev.contrail.operations.view.EntryFields;
import dev.contrail.operations.view.GroupFields;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;

/** Dead letters, and what is decided about them. */
final class LetterApi {
  private static final int STRETCHES = 24;
  private static final int ON_A_PAGE = 100;
  private static final int MOST_ON_A_PAGE = 1_000;

  private record Listing(
      List<Map<String, Object>> entries,
      OptionalLong matching,
      Optional<String> next,
      List<String> unreadable) {}

  private record Noted(String id, String by, String note) {}

  private record Edited(String id, int version, List<String> difference) {}

  private final Supplier<Desk> desk;

  LetterApi(Supplier<Desk> desk) {
    this.desk = desk;
  }

  void add(Router router) {
    router.get(Api.BASE + "/groups", Need.VIEWER, Api.json(this::groups));
    router.get(Api.BASE + "/dead-letters", Need.VIEWER, Api.json(this::list));
    router.get(Api.BASE + "/dead-letters/{id}", Need.VIEWER, Api.json(this::letter));
    router.get(Api.BASE + "/dead-letters/{id}/payload", Need.VIEWER, this::payload);
    router.post(Api.BASE + "/dead-letters/{id}/note", Need.OPERATOR, Api.json(this::note));
    router.post(Api.BASE + "/dead-letters/{id}/edit", Need.OPERATOR, Api.json(this::edit));
    router.post(Api.BASE + "/discard", Need.OPERATOR, Api.json(this::discard));
    router.post(Api.BASE + "/restore", Need.OPERATOR, Api.json(this::restore));
  }

  private Object groups(Context context) {
    Instant now = desk.get().clock().instant();
    Groups groups =
        desk.get().letters().index().groups(Asked.query(context).filter(now), now, STRETCHES);
    return groups.groups().stream().map(group -> GroupFields.of(group, groups)).toList();
  }

  private Object list(Context context) {
    Page page =
        desk.get()
            .letters()
            .index()
            .page(
                Asked.query(context).filter(desk.get().clock().instant()),
                Asked.page(context, ON_A_PAGE, MOST_ON_A_PAGE));
    return new Listing(
        page.entries().stream().map(EntryFields::of).toList(),
        page.matching(),
        page.next(),
        page.unreadable());
  }

  private Object letter(Context context) {
    DeadLetterId id = Asked.id(context);
    Letter letter = desk.get().letters().find(id).orElseThrow(() -> unknown(id));
    Map<String, Object> fields =
        EntryFields.of(letter.letter(), letter.state(), letter.events(), letter.differences());
    Neighbours around = desk.get().letters().neighbours(letter);
    fields.put("newer", around.newer().map(DeadLetterId::toString).orElse(""));
    fields.put("older", around.older().map(DeadLetterId::toString).orElse(""));
    return fields;
  }

  private void payload(Context context) {
    DeadLetterId id = Asked.id(context);
    int version = Asked.number(context.queryParam("version"), "version", 0, 0, Integer.MAX_VALUE);
    Payloads.download(
        context,
        id,
        version,
        desk.get().letters().payload(id, version).orElseThrow(() -> unknown(id)));
  }

  private Object note(Context context) {
    DeadLetterId id = Asked.id(context);
    String text = JsonChoice.text(Api.body(context), "text");
    desk.get().decisions().note(id, text, Api.by(context));
    return new Noted(id.toString(), Api.by(context), text.strip());
  }

  private Object edit(Context context) {
    DeadLetterId id = Asked.id(context);
    JsonNode body = Api.body(context);
    byte[] payload =
        body.has("payloadBase64")
            ? decoded(JsonChoice.text(body, "payloadBase64"))
            : JsonChoice.text(body, "payload").getBytes(UTF_8);
    int version =
        Asked.number(body.path("version").asString("0"), "version", 0, 0, Integer.MAX_VALUE);
    var before = desk.get().decisions().editable(id);
    Edits.Edit edit = desk.get().decisions().edit(id, payload, version, Api.by(context));
    return new Edited(
        id.toString(),
        edit.version(),
        desk.get().decisions().difference(before, payload).lines().toList());
  }

  private static byte[] decoded(String text) {
    try {
      return Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      throw new Refusal(Refusal.Kind.BAD_REQUEST, "'payloadBase64' is no Base64.");
    }
  }

  private Object discard(Context context) throws InterruptedException {
    JsonNode body = Api.body(context);
    return desk.get()
        .decisions()
        .discard(JsonChoice.choice(body), JsonChoice.text(body, "because"), Api.by(context));
  }

  private Object restore(Context context) throws InterruptedException {
    return desk.get().decisions().restore(JsonChoice.choice(Api.body(context)), Api.by(context));
  }

  private static Refusal unknown(DeadLetterId id) {
    return new Refusal(Refusal.Kind.NOT_FOUND, "There is no dead letter " + id + ".");
  }
}
