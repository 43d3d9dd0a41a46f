@NullMarked
package dev.contrail.redis;

import org.jspecify.annotations.NullMarked;
