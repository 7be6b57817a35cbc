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

  /**
   * Makes calls, all at once, each under a key of its own that it sends with every try.
   *
   * @param clicks how often the caller asks again, under the same key, when the client has given up
   *     because of its timeout
   */
  Found call(URI baseUrl, String apiKey, int calls, Duration timeout, int clicks) throws Exception;

  /**
   * What came of calls.
   *
   * @param answers calls with the answer to their own prompt
   * @param named calls that ended in an error that names the job
   * @param others what was said by those that ended otherwise
   */
  record Found(int answers, int named, List<String> others) {}
}
