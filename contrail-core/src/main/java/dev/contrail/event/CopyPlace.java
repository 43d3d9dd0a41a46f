package dev.contrail.event;

/**
 * Where a copy that a replay published is stored.
 *
 * @param incarnation tells streams of the same name apart
 */
public record CopyPlace(String stream, String incarnation, long sequence) {}
