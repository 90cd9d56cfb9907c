package io.jsrpt.actor;

import io.jsrpt.rdma.Gid;
import io.jsrpt.scsi.nexus.Nexus;
import io.jsrpt.srp.LoginRequest;
import io.jsrpt.srp.PortId;

/**
 * What makes two channels belong to one session: the I_T nexus, that is the identifiers of the two SRP ports, and the
 * ports that the channels go through. The latter keep apart hosts that have one initiator port identifier by mistake,
 * as Linux initiators over iWARP can, so that they do not end each other's sessions.
 */
record NexusKey(PortId initiator, PortId target, Gid remote, Gid local) {
    static NexusKey of(LoginRequest request, LoginAttempt attempt) {
        return new NexusKey(request.initiator(), request.target(), attempt.remote(), attempt.local());
    }

    /** The session's name for people: the initiator's address and its port identifier. */
    String sessionName() {
        return AllowedInitiators.address(remote) + "/" + initiator;
    }

    /** The nexus as the device server knows it. */
    Nexus nexus() {
        return new Nexus(initiator.high(), initiator.low(), target.high(), target.low(), remote.subnetPrefix(),
                remote.interfaceId());
    }
}
