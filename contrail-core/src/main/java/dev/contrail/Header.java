package dev.contrail;

/** One line of a message's headers. The same name may stand on several lines. */
public record Header(String name, String value) {}
