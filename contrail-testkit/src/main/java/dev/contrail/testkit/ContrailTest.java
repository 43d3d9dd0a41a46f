package dev.contrail.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/** Gives the tests of a class a real nats-server: see {@link ContrailExtension}. */
@Target({ElementType.TYPE, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ExtendWith(ContrailExtension.class)
public @interface ContrailTest {
  /**
   * Whether the class gets a server that no other class uses, so that its tests may stop, kill and
   * restart it. Otherwise one server serves the whole run.
   */
  boolean ownServer() default false;
}
