package dev.onejob.contract;

import com.google.re2j.Pattern;

/**
 * Recognises the polite refusals of models. Only how a text begins counts: somebody may well be
 * quoted as refusing further on. It knows English, German, French and Spanish.
 */
public final class RefusalPhrases {
  /** The answer is a refusal. */
  public static final String CHECK = "refusal";

  /** Longest beginning that is looked at, in characters. */
  private static final int LOOKED_AT = 300;

  private static final String ACTS =
      "(help|assist|comply|provide|fulfil|fulfill|do that|answer|process|complete|continue"
          + "|generate|create|share|support|engage|offer|give|analy[sz]e|discuss)";

  private static final Pattern BEGINNING =
      Pattern.compile(
          "(?i)^[\\s\"'*_>#-]*("
              + "((i['’]?m|i am|we['’]?re|we are) (really |very |so |truly )?sorry,?( but)?,? )?"
              + "(unfortunately,? )?(as an ai( language)?( model| assistant)?,? )?"
              + "i (can['’]?t|can ?not|won['’]?t|will not|must decline to|am unable to"
              + "|['’]m unable to|am not able to|['’]m not able to|do not|don['’]t) "
              + "(really |currently |be able to |feel comfortable |in good conscience )*"
              + ACTS
              + "|i['’]m (unable|not able) to "
              + ACTS
              + "|(i['’]?m|i am) (really |very |so |truly )?sorry,? but (i|this|that|as an)\\b"
              + "|sorry,? (but )?(i|as an ai)\\b.{0,40}(can['’]?t|cannot|can not|unable|not able)"
              + "|i must (respectfully )?decline\\b"
              + "|as an ai (language )?model\\b"
              + "|(es )?tut mir leid,? (aber |ich |das |dabei |da )"
              + "|leider kann ich (das|dir|ihnen|dabei|diese|darauf|hierzu|dazu|nicht)"
              + "|ich kann (dabei|das|dir dabei|ihnen dabei|darauf|diese \\w+|dazu) .{0,40}nicht"
              + "|(je suis )?désolée?,? (mais )?je ne (peux|suis)"
              + "|je ne peux pas (vous |t['’])?(aider|répondre|fournir|traiter)"
              + "|lo siento,? (pero )?no puedo"
              + "|no puedo (ayudar|responder|proporcionar|cumplir)"
              + ")");

  private RefusalPhrases() {}

  /** Whether a text begins as a refusal does. */
  public static boolean begins(String text) {
    return BEGINNING
        .matcher(text.length() > LOOKED_AT ? text.substring(0, LOOKED_AT) : text)
        .find();
  }
}
