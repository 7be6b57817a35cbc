package dev.onejob.server.config;

import dev.onejob.document.ConfigException;
import dev.onejob.document.Problems;
import dev.onejob.document.SchemaCheck;
import dev.onejob.document.YamlDocument;
import dev.onejob.providers.ProviderType;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads configurations. */
public final class SettingsLoader {
  /** How the built-in configuration is named in messages. */
  public static final String BUILT_IN = "built-in configuration";

  private static final String EXPECTED = "kinds and providers";
  private static final String SCHEMA = "config.schema.json";
  private static final String DEFAULT = "default.yaml";

  private final List<ProviderType> types;
  private final Function<String, @Nullable String> environment;
  private final Path workingFolder;
  private final SchemaCheck schema;

  /**
   * Makes a loader.
   *
   * @param types of the providers that may be configured
   * @param environment an environment variable by its name; null if it is not set
   * @param workingFolder what paths start from where no file does
   */
  public SettingsLoader(
      List<ProviderType> types,
      Function<String, @Nullable String> environment,
      Path workingFolder) {
    this.types = List.copyOf(types);
    this.environment = environment;
    this.workingFolder = workingFolder.toAbsolutePath();
    this.schema = new SchemaCheck(JsonMapper.shared().readTree(resource(SCHEMA)));
  }

  /**
   * Reads a file.
   *
   * @throws ConfigException with everything that is wrong with it
   */
  public Settings load(Path file) {
    Path folder = workingFolder.resolve(file).toAbsolutePath().getParent();
    return read(
        YamlDocument.read(file.toString(), text(file), EXPECTED), Objects.requireNonNull(folder));
  }

  /** The configuration that serves without a file. */
  public Settings builtIn() {
    return read(YamlDocument.read(BUILT_IN, builtInText(), EXPECTED), workingFolder);
  }

  /** The built-in configuration as it is written: a beginning for one's own. */
  public static String builtInText() {
    return resource(DEFAULT);
  }

  private Settings read(YamlDocument yaml, Path folder) {
    JsonNode root = yaml.root();
    Problems problems = new Problems();
    problems.addAll(schema.problems(yaml, "", root));
    new ProviderChecks(types).check(yaml, problems);
    problems.throwIfAny();

    Settings settings = new SettingsReader(yaml, problems, environment).read(folder, workingFolder);
    PlaygroundKinds.checkNames(settings, yaml, problems);
    problems.throwIfAny();
    return PlaygroundKinds.added(settings);
  }

  private String text(Path file) {
    try {
      return Files.readString(workingFolder.resolve(file), StandardCharsets.UTF_8);
    } catch (NoSuchFileException e) {
      throw ConfigException.of(file.toString(), 0, "there is no such file");
    } catch (CharacterCodingException e) {
      throw ConfigException.of(file.toString(), 0, "is not text in UTF-8");
    } catch (IOException e) {
      throw ConfigException.of(file.toString(), 0, "cannot be read: " + e);
    }
  }

  private static String resource(String name) {
    try (InputStream in = SettingsLoader.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
