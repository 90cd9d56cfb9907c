package io.jsrpt.it.initiator;

import io.jsrpt.srp.LoginReject;
import java.util.Optional;

/** How the setting up of a channel ended. */
public sealed interface LoginOutcome {
    /** Not yet. */
    record Waiting() implements LoginOutcome {}

    /** The channel stands. */
    record LoggedIn() implements LoginOutcome {}

    /**
     * The target refused.
     *
     * @param cmReason the connection manager's reason
     * @param reject SRP's, if the private data hold one
     */
    record Rejected(int cmReason, Optional<LoginReject> reject) implements LoginOutcome {}

    /** No answer, or none that can be used. */
    record Failed(String why) implements LoginOutcome {}
}
