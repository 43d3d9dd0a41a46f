package dev.contrail.jetstream;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs the class once on the oldest and once on the newest nats-server there is. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedClass(name = "nats-server {0}")
@MethodSource("dev.contrail.jetstream.Servers#oldestAndNewest")
@interface OnEveryServer {}
