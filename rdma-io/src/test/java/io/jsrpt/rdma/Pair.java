package io.jsrpt.rdma;

/**
 * Two endpoints with a connection between them, made through the connection manager.
 *
 * @param a the active side
 * @param b the passive side
 */
public record Pair(Endpoint a, CmId aId, QueuePair aQp, Endpoint b, CmId bId, QueuePair bQp, CmId listener) {
    public static final ConnectionParameters PARAMETERS = new ConnectionParameters(8, 8, 7, 7, true, false);

    /** Connects; the parameters and the specifications of the queue pairs are those given. */
    public static Pair connect(
            Endpoint a,
            QueuePairSpec aSpec,
            Endpoint b,
            QueuePairSpec bSpec,
            ServiceId service,
            ConnectionParameters parameters)
            throws RdmaException {
        CmId listener = b.channel().listen(service);
        CmId aId = a.channel().createId(b.gid(), service);
        QueuePair aQp = aId.createQueuePair(aSpec);
        aId.connect(parameters, new byte[] {1, 2, 3});
        CmEvent.ConnectRequest request = b.event(CmEvent.ConnectRequest.class);
        CmId bId = request.id();
        QueuePair bQp = bId.createQueuePair(bSpec);
        bId.accept(parameters, new byte[] {4, 5});
        a.event(CmEvent.Established.class);
        b.event(CmEvent.Established.class);
        return new Pair(a, aId, aQp, b, bId, bQp, listener);
    }

    /** Closes queue pairs and ids. */
    public void end() {
        aQp.close();
        bQp.close();
        aId.destroy();
        bId.destroy();
        listener.destroy();
    }
}
