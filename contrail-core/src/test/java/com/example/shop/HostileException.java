package com.example.shop;

/** Breaks every promise that a throwable makes. */
public final class HostileException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  @Override
  public String getMessage() {
    throw new UnsupportedOperationException("message");
  }

  @Override
  public String toString() {
    throw new UnsupportedOperationException("text");
  }

  @Override
  public synchronized Throwable getCause() {
    throw new StackOverflowError("cause");
  }

  @Override
  public StackTraceElement[] getStackTrace() {
    return null;
  }
}
