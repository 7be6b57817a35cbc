package dev.onejob.providers;

import java.net.URI;
import java.nio.file.Path;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a provider may know of the node that it is made on.
 *
 * @param environment an environment variable by its name; null if it is not set
 * @param baseFolder what relative paths in settings start from: the folder of the configuration
 * @param sandbox the address of the node's own sandbox; asked at each call, not before
 */
public record ProviderContext(
    Function<String, @Nullable String> environment, Path baseFolder, Supplier<URI> sandbox) {}
