package dev.onejob.providers;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/** The types of provider on the class path. */
public final class ProviderTypes {
  /** All of them, by name. */
  public static final List<ProviderType> ALL =
      ServiceLoader.load(ProviderType.class, ProviderTypes.class.getClassLoader()).stream()
          .map(ServiceLoader.Provider::get)
          .sorted(Comparator.comparing(ProviderType::name))
          .toList();

  private ProviderTypes() {}

  /** The type of that name; empty if there is none. */
  public static Optional<ProviderType> named(String name) {
    return ALL.stream().filter(type -> type.name().equals(name)).findFirst();
  }
}
