package io.jsrpt.it.initiator;

import io.jsrpt.rdma.Gid;
import io.jsrpt.rdma.ServiceId;
import io.jsrpt.srp.LoginRequest;
import io.jsrpt.srp.PortId;

/**
 * Where and how to log in.
 *
 * @param remote the target's port
 * @param service what it listens to; decides the form of the login request
 * @param initiator this initiator's port identifier
 * @param target the target's port identifier
 * @param queueSize commands outstanding at a time on a channel
 * @param iuLength the longest unit that is sent, and the size of a receive buffer
 * @param immediateData whether to ask for immediate data
 */
public record InitiatorSettings(
        Gid remote,
        ServiceId service,
        PortId initiator,
        PortId target,
        int queueSize,
        int iuLength,
        boolean immediateData) {
    /** Where Linux puts immediate data. */
    public static final int IMMEDIATE_OFFSET = 68;

    /** What a Linux initiator asks for. */
    public static InitiatorSettings likeLinux(Gid remote, ServiceId service, PortId initiator, PortId target) {
        return new InitiatorSettings(remote, service, initiator, target, 62, 8260, true);
    }

    /** The form of the login request. */
    public LoginRequest.Form form() {
        return service.rdmaTcpPort().isPresent() ? LoginRequest.Form.SHORT : LoginRequest.Form.LONG;
    }

    /** The request of one channel. */
    public LoginRequest request(boolean multichannel) {
        int flags = (multichannel ? LoginRequest.ACTION_MULTI : LoginRequest.ACTION_SINGLE)
                | (immediateData ? LoginRequest.IMMEDIATE_DATA : 0);
        return new LoginRequest(0, 0, iuLength, 6, flags, IMMEDIATE_OFFSET, initiator, target);
    }

    /** The same with another unit length. */
    public InitiatorSettings withIuLength(int other) {
        return new InitiatorSettings(remote, service, initiator, target, queueSize, other, immediateData);
    }

    /** The same with or without immediate data. */
    public InitiatorSettings withImmediateData(boolean wanted) {
        return new InitiatorSettings(remote, service, initiator, target, queueSize, iuLength, wanted);
    }

    /** The same as another initiator. */
    public InitiatorSettings as(PortId other) {
        return new InitiatorSettings(remote, service, other, target, queueSize, iuLength, immediateData);
    }

    /** The same to another target port. */
    public InitiatorSettings to(PortId other) {
        return new InitiatorSettings(remote, service, initiator, other, queueSize, iuLength, immediateData);
    }

    /** The same with another queue size. */
    public InitiatorSettings withQueueSize(int other) {
        return new InitiatorSettings(remote, service, initiator, target, other, iuLength, immediateData);
    }
}
