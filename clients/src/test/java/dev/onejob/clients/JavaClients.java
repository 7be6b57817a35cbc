package dev.onejob.clients;

import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import dev.langchain4j.model.openai.OpenAiChatModel;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
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
    public Found call(URI baseUrl, String apiKey, Round round) {
      OpenAIClient client =
          OpenAIOkHttpClient.builder()
              .baseUrl(baseUrl.toString())
              .apiKey(apiKey)
              .timeout(round.timeout())
              .build();
      try {
        return all(name(), round, (prompt, key) -> ask(client, prompt, key));
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
    public Found call(URI baseUrl, String apiKey, Round round) {
      ThreadLocal<String> keyOfCall = new ThreadLocal<>();
      OpenAiChatModel model =
          OpenAiChatModel.builder()
              .baseUrl(baseUrl.toString())
              .apiKey(apiKey)
              .modelName(MODEL)
              .timeout(round.timeout())
              .customHeaders(() -> Map.of(KEY, keyOfCall.get()))
              .build();
      return all(
          name(),
          round,
          (prompt, key) -> {
            keyOfCall.set(key);
            return model.chat(prompt);
          });
    }
  }

  /**
   * What a call has come to.
   *
   * @param says the answer, or the error
   * @param clicks how often the caller has asked again
   */
  private record Outcome(String says, int clicks) {}

  private static Client.Found all(String client, Client.Round round, Ask ask) {
    List<CompletableFuture<Outcome>> asked = new ArrayList<>();
    int answers = 0;
    int named = 0;
    int clicked = 0;
    List<String> others = new ArrayList<>();
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < round.calls(); i++) {
        String name = client + "-" + i;
        Executor inTurn =
            CompletableFuture.delayedExecutor(
                i * round.pace().toMillis(), TimeUnit.MILLISECONDS, callers);
        asked.add(
            CompletableFuture.supplyAsync(
                () -> outcome(ask, "call " + name, name, round.clicks()), inTurn));
      }
      for (int i = 0; i < round.calls(); i++) {
        Outcome outcome = asked.get(i).join();
        clicked += outcome.clicks() > 0 ? 1 : 0;
        if (outcome.says().equals("call " + client + "-" + i)) {
          answers++;
        } else if (JOB.matcher(outcome.says()).find()) {
          named++;
        } else {
          others.add(outcome.says());
        }
      }
    }
    return new Client.Found(answers, named, clicked, others);
  }

  /** Whatever a client throws is what its caller sees. */
  private static Outcome outcome(Ask ask, String prompt, String key, int clicks) {
    String says = "";
    for (int clicked = 0; clicked <= clicks; clicked++) {
      try {
        return new Outcome(ask.ask(prompt, key), clicked);
      } catch (RuntimeException e) {
        says = e.getClass().getSimpleName() + ": " + e.getMessage();
        if (JOB.matcher(says).find()) {
          return new Outcome(says, clicked);
        }
      }
    }
    return new Outcome(says, clicks);
  }
}
