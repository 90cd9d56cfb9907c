package io.jsrpt.srp;

/**
 * What a target grants at login.
 *
 * @param maxInitiatorToTargetLength the longest unit that it receives, in bytes: the size of a receive buffer
 * @param maxTargetToInitiatorLength the longest unit that it sends, in bytes
 * @param requestLimit the credits of a new channel: never more than receives are posted
 * @param maxChannels the most channels of one I_T nexus; 1 means no multichannel operation
 * @param immediateData whether immediate data may be used; never with a shared receive queue, since a peer's credits
 *     then do not bound the receives that its data hold
 */
public record LoginLimits(
        int maxInitiatorToTargetLength,
        int maxTargetToInitiatorLength,
        int requestLimit,
        int maxChannels,
        boolean immediateData) {
    /** The least that either end must be able to receive (SRP r16a, 6.1). */
    public static final int MIN_IU_LENGTH = 64;

    public LoginLimits {
        if (maxInitiatorToTargetLength < MIN_IU_LENGTH || maxTargetToInitiatorLength < MIN_IU_LENGTH) {
            throw new IllegalArgumentException("a unit must be allowed " + MIN_IU_LENGTH + " bytes");
        }
        if (requestLimit < 2) {
            throw new IllegalArgumentException("an initiator needs 2 credits, one for task management");
        }
        if (maxChannels < 1) {
            throw new IllegalArgumentException("a nexus needs a channel");
        }
    }
}
