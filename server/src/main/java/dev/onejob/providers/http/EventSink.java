package dev.onejob.providers.http;

/** Hears the events of a stream while they come. */
public interface EventSink {
  /** What is to be done after an event. */
  enum Heard {
    /** Listen for the next one. */
    MORE,
    /** That was the end signal: nothing that follows is of interest. */
    END
  }

  /** Takes one event, on the thread that reads the stream. */
  Heard hear(ServerEvent event);
}
