package dev.contrail.testkit;

import dev.contrail.server.NatsServer;
import dev.contrail.server.NatsServerBuilder;
import dev.contrail.server.NatsServerException;
import io.nats.client.Connection;
import java.net.URI;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Starts a real nats-server with JetStream, and gives each test a part of it that is its own. Use
 * it as {@link ContrailTest}, with {@code @ExtendWith}, or as a field with
 * {@code @RegisterExtension}.
 *
 * <p>The program is the one that {@code NATS_SERVER} names, else the first on the PATH. One server
 * serves all classes of a run, also in parallel, and ends with it; {@link
 * #withServer(NatsServerBuilder)} and {@link ContrailTest#ownServer} start another.
 *
 * <p>Tests, their constructors and what runs before and after them may have parameters of these
 * types. They are the same for all of one test, others for the next, and gone when it is over:
 *
 * <ul>
 *   <li>{@link TestStream}: a workqueue stream of its own;
 *   <li>{@link Sandbox}: makes more streams;
 *   <li>{@link Connection}: to the server, made by Contrail;
 *   <li>{@link URI}: where the server is;
 *   <li>{@link NatsServer}: the server itself, where the class has one of its own.
 * </ul>
 *
 * <p>Methods that run once for a class are given those of the class.
 */
public final class ContrailExtension
    implements BeforeAllCallback, BeforeEachCallback, ParameterResolver {
  private static final Namespace NAMESPACE = Namespace.create(ContrailExtension.class);
  private static final Map<Class<?>, Function<Sandbox, Object>> PARAMETERS =
      Map.of(
          Sandbox.class, sandbox -> sandbox,
          TestStream.class, Sandbox::stream,
          Connection.class, Sandbox::connection,
          URI.class, Sandbox::url,
          NatsServer.class, Sandbox::ownServer);

  private final Optional<NatsServerBuilder> ownServer;

  /** With the server of the run. */
  public ContrailExtension() {
    this(Optional.empty());
  }

  private ContrailExtension(Optional<NatsServerBuilder> ownServer) {
    this.ownServer = ownServer;
  }

  /**
   * With a server of its own, for the class when it is a static field, else for each test. Tests
   * may stop, kill and restart it.
   */
  public static ContrailExtension withServer(NatsServerBuilder server) {
    return new ContrailExtension(Optional.of(server));
  }

  /**
   * @throws NatsServerException when there is no nats-server, or it does not start; the message
   *     says what to do
   */
  @Override
  public void beforeAll(ExtensionContext context) {
    server(context);
  }

  /**
   * @throws NatsServerException as {@link #beforeAll}
   */
  @Override
  public void beforeEach(ExtensionContext context) {
    server(context);
  }

  /** What is injected into a constructor is that of the test, too. */
  @Override
  public ExtensionContextScope getTestInstantiationExtensionContextScope(ExtensionContext root) {
    return ExtensionContextScope.TEST_METHOD;
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return PARAMETERS.containsKey(parameter.getParameter().getType());
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return Objects.requireNonNull(PARAMETERS.get(parameter.getParameter().getType()))
        .apply(sandbox(context));
  }

  /** One for each context: of a test, or of a class. Closed when that is over. */
  private Sandbox sandbox(ExtensionContext context) {
    TestServer server = server(context);
    return context
        .getStore(NAMESPACE.append(this, context.getUniqueId()))
        .computeIfAbsent(
            Sandbox.class, key -> Sandbox.on(server, context.getDisplayName()), Sandbox.class);
  }

  private TestServer server(ExtensionContext context) {
    if (ownServer.isPresent()) {
      // Found from the tests of the class, too, when it was started for that.
      return context
          .getStore(NAMESPACE.append(this))
          .computeIfAbsent("server", key -> TestServer.own(ownServer.get()), TestServer.class);
    }
    Optional<ExtensionContext> owner = owner(context);
    Store store =
        owner
            .map(own -> own.getStore(NAMESPACE.append(own.getUniqueId())))
            .orElseGet(() -> context.getRoot().getStore(NAMESPACE));
    return store.computeIfAbsent(
        "server",
        key -> owner.isPresent() ? TestServer.own(NatsServer.builder()) : TestServer.shared(),
        TestServer.class);
  }

  /** The context of the outermost class that is to have a server of its own. */
  private static Optional<ExtensionContext> owner(ExtensionContext context) {
    Optional<ExtensionContext> further = context.getParent().flatMap(ContrailExtension::owner);
    return further.isPresent()
        ? further
        : context
            .getElement()
            .filter(element -> element instanceof Class<?>)
            .flatMap(type -> AnnotationSupport.findAnnotation(type, ContrailTest.class))
            .filter(ContrailTest::ownServer)
            .map(annotation -> context);
  }
}
