/**
 * The target's actors, and the embedding API: {@link io.jsrpt.actor.SrpTarget} starts a target with an actor system of
 * its own, {@link io.jsrpt.actor.Target} is a target as one behavior for a host's actor system, and
 * {@link io.jsrpt.actor.TargetSettings} is what either is started with.
 *
 * <p>Every mutable thing here has one owner, an actor, and only the owner touches it; others get immutable snapshots.
 * The handle of a connection, {@code CmId}, moves between actors by {@code Ownership}.
 */
package io.jsrpt.actor;
