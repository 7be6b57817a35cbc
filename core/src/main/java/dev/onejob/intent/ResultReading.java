package dev.onejob.intent;

import dev.onejob.intent.JsonValue.JsonArray;
import dev.onejob.intent.JsonValue.JsonBoolean;
import dev.onejob.intent.JsonValue.JsonNull;
import dev.onejob.intent.JsonValue.JsonNumber;
import dev.onejob.intent.JsonValue.JsonObject;
import dev.onejob.intent.JsonValue.JsonString;
import dev.onejob.intent.JsonValue.Member;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * The one reading of a provider's JSON: what is stored, shown and compared.
 *
 * <p>It is kept as it came, without white space around it. Only where a member comes twice is it
 * written anew: the last one counts. Escapes that an input may not have, U+0000 and unpaired
 * surrogates, stay escaped as they came.
 */
public final class ResultReading {
  private ResultReading() {}

  /**
   * Reads a result.
   *
   * @throws JsonRefused if it is not exactly one JSON value within the limits
   */
  public static byte[] read(byte[] utf8) throws JsonRefused {
    StrictJson.Reading reading = StrictJson.readResult(utf8, JsonLimits.RESULT);
    if (reading.membersDropped()) {
      StringBuilder anew = new StringBuilder();
      append(anew, reading.value());
      return anew.toString().getBytes(StandardCharsets.UTF_8);
    }
    return Arrays.copyOfRange(utf8, reading.value().start(), reading.value().end());
  }

  /**
   * Reads a result that is plain text, and is kept as it came.
   *
   * @throws JsonRefused if it is not UTF-8: it could not be shown as what it is
   */
  public static byte[] readText(byte[] utf8) throws JsonRefused {
    ByteBuffer bytes = ByteBuffer.wrap(utf8);
    try {
      StandardCharsets.UTF_8.newDecoder().decode(bytes);
      return utf8;
    } catch (CharacterCodingException e) {
      throw new JsonRefused(
          JsonRefused.Reason.INVALID_UTF8, "bytes that are not UTF-8", "", bytes.position());
    }
  }

  private static void append(StringBuilder text, JsonValue value) {
    switch (value) {
      case JsonObject object -> {
        text.append('{');
        List<Member> members = object.members();
        for (int i = 0; i < members.size(); i++) {
          CanonicalJson.appendString(i == 0 ? text : text.append(','), members.get(i).name());
          append(text.append(':'), members.get(i).value());
        }
        text.append('}');
      }
      case JsonArray array -> {
        text.append('[');
        for (int i = 0; i < array.elements().size(); i++) {
          append(i == 0 ? text : text.append(','), array.elements().get(i));
        }
        text.append(']');
      }
      case JsonString string -> CanonicalJson.appendString(text, string.text());
      case JsonNumber number -> text.append(number.text());
      case JsonBoolean bool -> text.append(bool.value());
      case JsonNull nothing -> text.append("null");
    }
  }
}
