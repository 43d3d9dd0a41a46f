/** The completion ledger in Redis: {@link dev.contrail.redis.RedisLedger}. */
@NullMarked
package dev.contrail.redis;

import org.jspecify.annotations.NullMarked;
