package io.jsrpt.actor;

import akka.japi.Pair;
import akka.stream.Attributes;
import akka.stream.Outlet;
import akka.stream.SourceShape;
import akka.stream.stage.AbstractGraphStageWithMaterializedValue;
import akka.stream.stage.AbstractOutHandler;
import akka.stream.stage.AsyncCallback;
import akka.stream.stage.GraphStageLogic;
import io.jsrpt.rdma.CmEvent;
import io.jsrpt.rdma.CmEventChannel;
import java.util.Optional;

/**
 * The events of a CM event channel as a stream. An event is taken from the provider only when the consumer asks for
 * one, so a slow consumer leaves events, and the connection requests among them, with the provider, which owns them.
 *
 * <p>While the stream runs, the stage is the only one that polls and arms the channel. It completes when
 * {@link Control#stop} is called, and does not close the channel.
 */
final class CmEventSource
    extends AbstractGraphStageWithMaterializedValue<SourceShape<CmEvent>, CmEventSource.Control> {
    private final CmEventChannel events;
    private final Outlet<CmEvent> out = Outlet.create("CmEventSource.out");
    private final SourceShape<CmEvent> shape = SourceShape.of(out);

    CmEventSource(CmEventChannel events) {
        this.events = events;
    }

    /** Ends the stream from outside. */
    interface Control {
        /** Takes no more events and completes the stream, once what was taken is delivered. From any thread. */
        void stop();
    }

    @Override
    public SourceShape<CmEvent> shape() {
        return shape;
    }

    @Override
    public Pair<GraphStageLogic, Control> createLogicAndMaterializedValuePair(Attributes inherited) {
        Logic logic = new Logic();
        return Pair.create(logic, logic);
    }

    private final class Logic extends GraphStageLogic implements Control {
        private final AsyncCallback<CmEventChannel> somethingToPoll = createAsyncCallback(_ -> deliver());
        private final AsyncCallback<CmEventChannel> stopAsked = createAsyncCallback(_ -> completeStage());

        Logic() {
            super(shape);
            setHandler(out, new AbstractOutHandler() {
                @Override
                public void onPull() {
                    deliver();
                }
            });
        }

        private void deliver() {
            if (!isAvailable(out)) {
                return;
            }
            Optional<CmEvent> event = events.poll();
            if (event.isPresent()) {
                push(out, event.get());
            } else {
                events.arm(() -> somethingToPoll.invoke(events));
            }
        }

        @Override
        public void stop() {
            stopAsked.invoke(events);
        }
    }
}
