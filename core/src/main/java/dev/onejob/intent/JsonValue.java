package dev.onejob.intent;

public record JsonValue(byte[] b) {}
