package com.example.shop;

/** Has another cause each time it is asked. */
public final class NeverEndingException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  @Override
  public synchronized Throwable getCause() {
    return new NeverEndingException();
  }
}
