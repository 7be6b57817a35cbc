package dev.onejob.clients;

import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import dev.langchain4j.model.openai.OpenAiChatModel;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;

/** The clients from Maven Central. */
final class JavaClients {
  private static final String MODEL = "gpt-x";
  private static final String KEY = "Idempotency-Key";
  private static final Pattern JOB = Pattern.compile("job_[0-9A-Z]{26}");

  private JavaClients() {}

  private interface Ask {
    String ask(String prompt, String key);
  }

  /** {@code com.openai:openai-java}. */
  record OpenAiJava() implements Client {
    @Override
    public String name() {
      return "openai-java";
    }

    @Override
    public String title() {
      return "Maven `com.openai:openai-java`";
    }

    @Override
    public Found call(URI baseUrl, String apiKey, int calls, Duration timeout, int clicks)
        throws Exception {
      OpenAIClient client =
          OpenAIOkHttpClient.builder()
              .baseUrl(baseUrl.toString())
              .apiKey(apiKey)
              .timeout(timeout)
              .build();
      try {
        return all(name(), calls, clicks, (prompt, key) -> ask(client, prompt, key));
      } finally {
        client.close();
      }
    }

    private static String ask(OpenAIClient client, String prompt, String key) {
      ChatCompletionCreateParams request =
          ChatCompletionCreateParams.builder()
              .model(MODEL)
              .addUserMessage(prompt)
              .putAdditionalHeader(KEY, key)
              .build();
      return client
          .chat()
          .completions()
          .create(request)
          .choices()
          .getFirst()
          .message()
          .content()
          .orElse("");
    }
  }

  /** The OpenAI model of LangChain4j. */
  record LangChain4j() implements Client {
    @Override
    public String name() {
      return "langchain4j";
    }

    @Override
    public String title() {
      return "Maven `dev.langchain4j:langchain4j-open-ai`";
    }

    @Override
    public Found call(URI baseUrl, String apiKey, int calls, Duration timeout, int clicks)
        throws Exception {
      ThreadLocal<String> keyOfCall = new ThreadLocal<>();
      OpenAiChatModel model =
          OpenAiChatModel.builder()
              .baseUrl(baseUrl.toString())
              .apiKey(apiKey)
              .modelName(MODEL)
              .timeout(timeout)
              .customHeaders(() -> Map.of(KEY, keyOfCall.get()))
              .build();
      return all(
          name(),
          calls,
          clicks,
          (prompt, key) -> {
            keyOfCall.set(key);
            return model.chat(prompt);
          });
    }
  }

  private static Client.Found all(String client, int calls, int clicks, Ask ask) throws Exception {
    List<Future<String>> asked = new ArrayList<>();
    int answers = 0;
    int named = 0;
    List<String> others = new ArrayList<>();
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < calls; i++) {
        String name = client + "-" + i;
        asked.add(callers.submit(() -> outcome(ask, "call " + name, name, clicks)));
      }
      for (int i = 0; i < calls; i++) {
        String outcome = asked.get(i).get();
        if (outcome.equals("call " + client + "-" + i)) {
          answers++;
        } else if (JOB.matcher(outcome).find()) {
          named++;
        } else {
          others.add(outcome);
        }
      }
    }
    return new Client.Found(answers, named, others);
  }

  /** The answer, or what the error says: whatever a client throws is what its caller sees. */
  private static String outcome(Ask ask, String prompt, String key, int clicks) {
    try {
      return ask.ask(prompt, key);
    } catch (RuntimeException e) {
      String says = e.getClass().getSimpleName() + ": " + e.getMessage();
      boolean again = clicks > 0 && !JOB.matcher(says).find();
      return again ? outcome(ask, prompt, key, clicks - 1) : says;
    }
  }
}
