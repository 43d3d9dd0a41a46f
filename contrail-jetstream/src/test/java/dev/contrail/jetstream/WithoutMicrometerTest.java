package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.server.NatsServer;
import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Micrometer is optional: an application that does not have it must not miss it. */
class WithoutMicrometerTest {
  @Test
  void a_worker_works_and_dead_letters_where_there_is_no_micrometer(@TempDir Path folder)
      throws Exception {
    NatsServer server = Servers.shared(Servers.newest());
    try (Workplace workplace = Workplace.workqueue(server);
        WorkerProcess worker =
            WorkerProcess.start(
                classPathWithoutMicrometer(),
                Main.class,
                WorkerOrders.of(workplace, folder.resolve("effects")).arguments())) {
      worker.await("started");
      workplace.publish("ok");
      workplace.publish("reject");
      workplace.awaitEmpty();
      assertThat(workplace.awaitDeadLetter().id().sequence()).isEqualTo(2);
      worker.drain();
      assertThat(worker.lines()).contains("no Micrometer", "all methods can be listed", "ended");
    }
  }

  private static String classPathWithoutMicrometer() {
    List<String> all = List.of(System.getProperty("java.class.path").split(File.pathSeparator, -1));
    String without =
        all.stream()
            .filter(entry -> !Path.of(entry).getFileName().toString().contains("micrometer"))
            .collect(Collectors.joining(File.pathSeparator));
    assertThat(without.split(File.pathSeparator, -1)).hasSizeLessThan(all.size());
    return without;
  }

  /** Looks for what it needs not to find, then works. */
  static final class Main {
    private Main() {}

    public static void main(String[] arguments) throws Exception {
      try {
        Class.forName("io.micrometer.core.instrument.MeterRegistry");
      } catch (ClassNotFoundException expected) {
        System.out.println("no Micrometer");
      }
      // Frameworks do that with classes that they make proxies of.
      if (Arrays.stream(ConsumerBuilder.class.getMethods())
          .anyMatch(method -> method.getName().equals("meters"))) {
        System.out.println("all methods can be listed");
      }
      WorkerMain.main(arguments);
    }
  }
}
