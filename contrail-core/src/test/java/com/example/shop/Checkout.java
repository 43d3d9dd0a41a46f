package com.example.shop;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** Stands for an application whose failures are fingerprinted. */
public final class Checkout {
  private Checkout() {}

  public static void charge(String order) {
    price(order);
  }

  public static void refund(String order) {
    if (!order.isEmpty()) {
      throw new IllegalStateException("no payment to refund for order " + order);
    }
  }

  public static Object chargeOn(Executor executor, String order) {
    return CompletableFuture.runAsync(() -> charge(order), executor).join();
  }

  public static int bounce(int depth) {
    return depth < 0 ? depth : bounceBack(depth + 1) + 1;
  }

  private static int bounceBack(int depth) {
    return bounce(depth + 1) + 1;
  }

  private static void price(String order) {
    throw new IllegalStateException("no price for order " + order);
  }
}
