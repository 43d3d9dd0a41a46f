package dev.contrail.cli.command;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Puts the options of a class under a heading of their own in the help. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface HelpGroup {
  String heading();

  /** Groups come in this order. */
  int order();
}
