package io.jsrpt.actor;

import akka.actor.typed.Behavior;
import akka.actor.typed.BehaviorInterceptor;
import akka.actor.typed.PostStop;
import akka.actor.typed.Signal;
import akka.actor.typed.TypedActorContext;
import akka.actor.typed.javadsl.Behaviors;
import io.jsrpt.rdma.CmId;
import java.util.Optional;

/** Ways to break the ownership rule, around a channel actor that keeps it. */
enum RuleBreaker {
    /** The channel destroys its id a second time. */
    DESTROYS_TWICE,
    /** The channel takes an id, says so, and then forgets it. */
    FORGETS,
    /** The channel uses an id that it has destroyed or given back. */
    USES_AFTER_RELEASE,
    /** Offerer and taker believe both that they have the id. */
    TWO_OWNERS;

    Behavior<ChannelActor.Command> around(Behavior<ChannelActor.Command> channel) {
        return Behaviors.intercept(() -> new Breaker(this), channel);
    }

    private static final class Breaker extends BehaviorInterceptor<ChannelActor.Command, ChannelActor.Command> {
        private final RuleBreaker how;
        private Optional<CmId> id = Optional.empty();

        Breaker(RuleBreaker how) {
            super(ChannelActor.Command.class);
            this.how = how;
        }

        @Override
        public Behavior<ChannelActor.Command> aroundReceive(
                TypedActorContext<ChannelActor.Command> context,
                ChannelActor.Command message,
                ReceiveTarget<ChannelActor.Command> target) {
            if (message instanceof ChannelActor.TakeOwnership offered) {
                Optional<Ownership<CmId>> taken = offered.offer().accept();
                id = taken.map(Ownership::get);
                if (how == FORGETS && taken.isPresent()) {
                    offered.replyTo().tell(new CmActor.Owned(context.asJava().getSelf()));
                    return Behaviors.same();
                }
                taken.ifPresent(offered.offer()::giveBack);
                if (how == TWO_OWNERS && id.isPresent()) {
                    Ownership.Offer<CmId> second = Ownership.of(id.get()).offer();
                    return target.apply(context, new ChannelActor.TakeOwnership(second, offered.replyTo()));
                }
            }
            return target.apply(context, message);
        }

        @Override
        public Behavior<ChannelActor.Command> aroundSignal(
                TypedActorContext<ChannelActor.Command> context,
                Signal signal,
                SignalTarget<ChannelActor.Command> target) {
            Behavior<ChannelActor.Command> next = target.apply(context, signal);
            if (signal instanceof PostStop) {
                if (how == DESTROYS_TWICE) {
                    id.ifPresent(CmId::destroy);
                } else if (how == USES_AFTER_RELEASE) {
                    id.ifPresent(CmId::disconnect);
                }
            }
            return next;
        }
    }
}
