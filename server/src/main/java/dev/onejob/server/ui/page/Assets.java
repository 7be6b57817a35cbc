package dev.onejob.server.ui.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The style and the scripts of the dashboard, read once. Each is served under a name that carries a
 * digest of it, so that browsers may keep it for ever.
 */
public final class Assets {
  private static final String OWN = "/dev/onejob/server/ui/";
  private static final String HTMX = "org.webjars.npm/htmx.org";
  private static final int DIGEST_CHARS = 16;
  private static final Pattern DIGESTED = Pattern.compile("(\\w+)\\.[0-9a-f]{16}(\\.\\w+)");
  private static final String PATH = Place.ROOT + "/assets/";

  private final Map<String, Asset> byName = new LinkedHashMap<>();
  private final Map<String, String> names = new LinkedHashMap<>();

  /** What is served under one name. */
  public record Asset(String mediaType, byte[] bytes) {}

  /** Reads them all. */
  public Assets() {
    add("onejob.css", "text/css; charset=utf-8", resource(OWN + "onejob.css"));
    add("onejob.js", "text/javascript; charset=utf-8", resource(OWN + "onejob.js"));
    add("icon.svg", "image/svg+xml", resource(OWN + "icon.svg"));
    add("htmx.js", "text/javascript; charset=utf-8", resource(htmx()));
  }

  private void add(String name, String mediaType, byte[] bytes) {
    int dot = name.lastIndexOf('.');
    String digested = name.substring(0, dot) + "." + digest(bytes) + name.substring(dot);
    byName.put(digested, new Asset(mediaType, bytes));
    names.put(name, digested);
  }

  /** The address of an asset on this host, by its plain name. */
  public String path(String name) {
    return PATH + Objects.requireNonNull(names.get(name), name);
  }

  /**
   * The asset under a name with its digest; empty if there is none. While nodes are renewed one by
   * one, a page of another version asks for another digest: it gets what this node has.
   */
  public Optional<Asset> find(String digested) {
    Matcher matcher = DIGESTED.matcher(digested);
    return matcher.matches()
        ? Optional.ofNullable(names.get(matcher.group(1) + matcher.group(2))).map(byName::get)
        : Optional.empty();
  }

  /** Whether the digest is of what is served here: else nobody may keep it under this name. */
  public boolean isOwn(String digested) {
    return byName.containsKey(digested);
  }

  /** The jar says by itself which version it holds. */
  private static String htmx() {
    Properties pom = new Properties();
    try (InputStream stream = open("/META-INF/maven/" + HTMX + "/pom.properties")) {
      pom.load(stream);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    String version = Objects.requireNonNull(pom.getProperty("version"), "version of htmx");
    return "/META-INF/resources/webjars/htmx.org/" + version + "/dist/htmx.min.js";
  }

  private static byte[] resource(String path) {
    try (InputStream stream = open(path)) {
      return stream.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static InputStream open(String path) {
    return Objects.requireNonNull(Assets.class.getResourceAsStream(path), path);
  }

  private static String digest(byte[] bytes) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
      return HexFormat.of().formatHex(digest).substring(0, DIGEST_CHARS);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
