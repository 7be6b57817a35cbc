package dev.onejob.server.ui.jobs;

import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Jobs as lines of CSV (RFC 4180). Texts of people are made such that no spreadsheet takes them for
 * a formula (OWASP, "CSV Injection"), whichever separator it has been told to use: a spreadsheet
 * that splits at semicolons knows nothing of quotes in the middle of what is a cell to it.
 */
final class JobsCsv {
  /** The names are those of the API. */
  static final String HEAD =
      "id,owner,key,kind,state,waiting_for,contested,attempts_started,in_doubt,provider,tags,"
          + "created_at,ended_at\r\n";

  /** What makes a spreadsheet calculate; the last four are those of full width. */
  private static final String FORMULA = "=+-@\t\r\n\uff1d\uff0b\uff0d\uff20";

  /** After any of these another program may begin a new cell. */
  private static final String SEPARATORS = ",;|\t\r\n";

  /** What may stand between the beginning of a cell and what it is taken for. */
  private static final String PASSED_OVER = " \"\u00a0\u3000\ufeff";

  private static final Pattern TO_BE_QUOTED = Pattern.compile("[\",;|\\s]");

  private JobsCsv() {}

  /** One line with its end. */
  static String line(ExportRow row) {
    JobRow job = row.job();
    return String.join(
            ",",
            cell(job.id().toString()),
            cell(job.owner()),
            cell(job.key()),
            cell(job.kind()),
            cell(job.state()),
            cell(job.waitingFor()),
            String.valueOf(job.contested()),
            String.valueOf(job.attempts()),
            String.valueOf(row.inDoubt()),
            cell(row.provider()),
            quoted(tags(job.tags())),
            time(job.createdAt()),
            time(job.endedAt()))
        + "\r\n";
  }

  /** Tags have no spaces; each by itself, for cells are split at spaces too. */
  private static String tags(List<String> tags) {
    return tags.stream().map(JobsCsv::plain).collect(Collectors.joining(" "));
  }

  private static String time(@Nullable Instant at) {
    return at == null ? "" : at.toString();
  }

  private static String cell(@Nullable String text) {
    return text == null ? "" : quoted(plain(text));
  }

  private static String quoted(String text) {
    return TO_BE_QUOTED.matcher(text).find() ? "\"" + text.replace("\"", "\"\"") + "\"" : text;
  }

  /** The text, with an apostrophe before whatever could begin a formula. */
  static String plain(String text) {
    StringBuilder plain = new StringBuilder(text.length() + 2);
    boolean begins = true;
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      if (begins && FORMULA.indexOf(each) >= 0) {
        plain.append('\'');
      }
      plain.append(each);
      begins = SEPARATORS.indexOf(each) >= 0 || begins && PASSED_OVER.indexOf(each) >= 0;
    }
    return plain.toString();
  }
}
