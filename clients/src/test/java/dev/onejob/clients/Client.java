package dev.onejob.clients;

import java.net.URI;
import java.time.Duration;
import java.util.List;

/** An unchanged client, of which only base URL, API key and timeout are set. */
interface Client {
  /** As it is called in prompts, keys and the peer's counts. */
  String name();

  /** As it is called in the document. */
  String title();

  /** Makes calls, each under a key of its own that it sends with every try. */
  Found call(URI baseUrl, String apiKey, Round round) throws Exception;

  /**
   * How calls are made.
   *
   * @param pace after which the next call begins, whatever came of those before it
   * @param timeout of the client, for one try
   * @param clicks how often the caller asks again, under the same key, when the client has given up
   *     for good without a word of a job
   */
  record Round(int calls, Duration pace, Duration timeout, int clicks) {}

  /**
   * What came of calls.
   *
   * @param answers calls with the answer to their own prompt
   * @param named calls that ended in an error that names the job
   * @param clicked calls for which the client had given up and the caller asked again
   * @param others what was said by those that ended otherwise
   */
  record Found(int answers, int named, int clicked, List<String> others) {}
}
