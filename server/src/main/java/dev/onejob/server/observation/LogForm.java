package dev.onejob.server.observation;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import dev.onejob.server.config.ObservationSettings;
import dev.onejob.server.config.ObservationSettings.LogFormat;
import net.logstash.logback.encoder.LogstashEncoder;
import net.logstash.logback.fieldnames.LogstashFieldNames;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;

/** Gives the log of this process its form and level. */
public final class LogForm {
  private static final String OURS = "dev.onejob";

  private LogForm() {}

  /** Applies the settings to the whole process, from the next line on. */
  public static void apply(ObservationSettings settings) {
    SLF4JBridgeHandler.removeHandlersForRootLogger(); // libraries that log by Java's own means
    SLF4JBridgeHandler.install();
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    context.getLogger(OURS).setLevel(Level.valueOf(settings.logLevel().name()));
    if (settings.logFormat() == LogFormat.JSON) {
      writeJson(context);
    }
  }

  private static void writeJson(LoggerContext context) {
    Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    root.iteratorForAppenders()
        .forEachRemaining(
            each -> {
              if (each instanceof OutputStreamAppender<ILoggingEvent> appender) {
                appender.stop();
                appender.setEncoder(encoder(context));
                appender.start();
              }
            });
  }

  private static LogstashEncoder encoder(LoggerContext context) {
    LogstashFieldNames names = new LogstashFieldNames();
    names.setTimestamp("time");
    names.setLogger("logger");
    names.setThread("thread");
    names.setStackTrace("stack_trace");
    names.setVersion("[ignore]");
    names.setLevelValue("[ignore]");
    LogstashEncoder encoder = new LogstashEncoder();
    encoder.setContext(context);
    encoder.setFieldNames(names);
    encoder.setTimeZone("UTC");
    encoder.start();
    return encoder;
  }
}
