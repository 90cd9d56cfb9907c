package io.jsrpt.actor;

import io.jsrpt.rdma.CmEvent;
import io.jsrpt.rdma.CmId;
import io.jsrpt.rdma.ConnectionParameters;
import io.jsrpt.rdma.Gid;
import io.jsrpt.rdma.ServiceId;
import io.jsrpt.srp.LoginRequest;

/**
 * A connection request as its channel sees it: values that the CM actor has read while the id was its own.
 *
 * @param number of the id
 * @param form how the login lies in the private data
 * @param privateData never changed
 */
record LoginAttempt(
        long number,
        Gid local,
        Gid remote,
        LoginRequest.Form form,
        byte[] privateData,
        ConnectionParameters parameters) {
    /** Reads what the request says; by the id's owner. */
    static LoginAttempt of(CmId id, CmEvent.ConnectRequest request) {
        ServiceId service = id.service();
        return new LoginAttempt(
                id.number(),
                id.local(),
                id.remote(),
                service.rdmaTcpPort().isPresent() ? LoginRequest.Form.SHORT : LoginRequest.Form.LONG,
                request.privateData(),
                request.parameters());
    }

    /** The tag that an answer to the login must bear. */
    long tag() {
        return LoginRequest.decode(form, privateData).map(LoginRequest::tag).orElse(0L);
    }
}
