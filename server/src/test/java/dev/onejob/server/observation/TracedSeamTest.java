package dev.onejob.server.observation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.provider.CallWatch;
import dev.onejob.provider.Provider;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What stands between the engine and a provider leaves nothing of the seam out. */
final class TracedSeamTest {
  @Test
  void a_traced_provider_passes_on_every_method_of_the_seam() {
    assertThat(signatures(Stream.of(TracedProvider.class.getDeclaredMethods())))
        .containsAll(signatures(instanceMethods(Provider.class)));
  }

  @Test
  void the_watch_of_a_traced_call_passes_on_every_method_of_the_seam() {
    assertThat(signatures(Stream.of(TracedProvider.Watch.class.getDeclaredMethods())))
        .containsAll(signatures(instanceMethods(CallWatch.class)));
  }

  private static Stream<Method> instanceMethods(Class<?> seam) {
    return Stream.of(seam.getMethods()).filter(method -> !Modifier.isStatic(method.getModifiers()));
  }

  private static List<String> signatures(Stream<Method> methods) {
    return methods.map(m -> m.getName() + Arrays.toString(m.getParameterTypes())).toList();
  }
}
