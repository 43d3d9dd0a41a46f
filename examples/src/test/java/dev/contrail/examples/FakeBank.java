package dev.contrail.examples;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Charges once for each key, as the real one does. */
final class FakeBank implements Bank {
  private final Set<String> keys = new HashSet<>();
  private final List<String> charges = new ArrayList<>();
  private boolean busy;

  void isBusy(boolean now) {
    busy = now;
  }

  List<String> charges() {
    return charges;
  }

  @Override
  public void charge(Order order, String idempotencyKey) throws BankBusyException {
    if (busy) {
      throw new BankBusyException();
    }
    if (keys.add(idempotencyKey)) {
      charges.add(order.customer() + " " + order.cents());
    }
  }
}
