package io.jsrpt.actor;

import akka.actor.PoisonPill;
import akka.actor.typed.ActorRef;
import akka.actor.typed.Props;
import akka.actor.typed.javadsl.Adapter;
import io.jsrpt.rdma.WorkCompletion;
import io.jsrpt.srp.LoginRequest;
import io.jsrpt.srp.TaskManagement;
import io.jsrpt.testing.SimStore;
import io.jsrpt.testing.rdma.SimId;
import io.jsrpt.testing.rdma.SimQueuePair;
import io.jsrpt.testing.rdma.SimService;
import io.jsrpt.testing.stepping.SteppingSystem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * One randomised run of a whole target over a provider in memory, all of it decided by a seed: logins good and bad,
 * connection manager events that fit the state and that do not, commands, completions, faults, crashes, time that
 * passes, the order in which actors run, and the end of the target.
 */
final class Schedule {
    private static final double[] FAULT_RATES = {0, 0, 0.003, 0.02, 0.1};
    private static final int[] PAUSES_MS = {1, 100, 5_001, 10_001, 31_000};
    private static final int MOST_CONNECTIONS = 6;

    private final SteppingSystem actors;
    private final Random random;
    private final SimService service;
    private final SimStore store = new SimStore();
    private final ActorRef<TargetCommand> target;
    private final int steps;
    private final List<String> problems = new ArrayList<>();
    private long tag;
    private boolean ending;
    private int handled;
    private int late;

    Schedule(SteppingSystem actors, long seed, DeviceActor.ChannelFactory channels) {
        this.actors = actors;
        this.random = new Random(seed);
        double rate = FAULT_RATES[random.nextInt(FAULT_RATES.length)];
        this.service = new SimService(random.nextInt(8) == 0 ? 2 : 1, new RandomFaults(random, rate));
        this.steps = 60 + random.nextInt(240);
        TargetSettings settings = TestUnits.target(store);
        if (random.nextInt(4) == 0) {
            settings = settings.withAllowedInitiators(
                    AllowedInitiators.of(List.of(TestUnits.initiator(0).toString(), "10.0.1.1")));
        }
        target = actors.system().systemActorOf(
                TargetActor.create(service, settings, channels), "target-" + seed, Props.empty());
    }

    /**
     * What a run came to; equal for equal runs.
     *
     * @param problems what broke a rule
     * @param handled messages that actors have handled
     * @param connections connections that were asked for
     * @param sent what the target's connection manager has sent on each of them
     * @param lateStoreOperations store operations that ended after the target had stopped
     */
    record Outcome(
            List<String> problems, int handled, int connections, List<String> sent, int lateStoreOperations) {}

    Outcome run() {
        for (int i = 0; i < steps; i++) {
            if (actors.ready() > 0 && random.nextInt(100) < 72) {
                step();
            } else {
                stimulate();
            }
        }
        end();
        return new Outcome(problems, handled, service.connections().size(),
                service.connections().stream().map(id -> String.join(",", id.sent())).toList(), late);
    }

    private void step() {
        handled++;
        actors.step(random);
    }

    private void stimulate() {
        switch (random.nextInt(24)) {
            case 0, 1, 2, 3 -> connect();
            case 4, 5, 6, 7 -> replied().ifPresent(SimId::rtu);
            case 8, 9 -> connection().ifPresent(this::event);
            case 10, 11, 12 -> queuePair().ifPresent(this::unit);
            case 13, 14, 15 -> queuePair().ifPresent(SimQueuePair::completeSend);
            case 16 -> queuePair().ifPresent(qp -> qp.fail(WorkCompletion.Status.RETRY_EXCEEDED));
            case 17, 18 -> endStoreOperation();
            case 19, 20 -> actors.pass(Duration.ofMillis(PAUSES_MS[random.nextInt(PAUSES_MS.length)]));
            case 21 -> target.tell(new TargetCommand.GetStatus(actors.system().ignoreRef()));
            case 22 -> target.tell(new TargetCommand.CloseSession(
                    "10.0.1.1/" + TestUnits.initiator(1), actors.system().ignoreRef()));
            default -> {
                if (random.nextInt(6) == 0) {
                    endTarget();
                }
            }
        }
    }

    private void endTarget() {
        ending = true;
        if (random.nextInt(3) == 0) {
            Adapter.toClassic(target).tell(PoisonPill.getInstance(), akka.actor.ActorRef.noSender());
        } else {
            target.tell(new TargetCommand.Shutdown(actors.system().ignoreRef()));
        }
    }

    private void connect() {
        if (service.connections().size() < MOST_CONNECTIONS) {
            int host = random.nextInt(3);
            byte[] login = switch (random.nextInt(10)) {
                case 0 -> new byte[random.nextInt(60)];
                case 1 -> TestUnits.login(host, 2).encode(LoginRequest.Form.SHORT);
                case 2, 3, 4, 5 -> TestUnits.multi(host);
                default -> TestUnits.single(host);
            };
            service.device(random.nextInt(service.devices().size()))
                    .request(TestUnits.remote(host), TestUnits.SERVICE, login);
        }
    }

    private void event(SimId id) {
        switch (random.nextInt(8)) {
            case 0, 1 -> id.dreq();
            case 2 -> id.rejectReply();
            case 3 -> id.unreachable();
            case 4 -> id.connectError();
            case 5 -> id.timewaitExit();
            case 6 -> id.deviceRemoved();
            default -> id.addressChanged();
        }
    }

    private void unit(SimQueuePair queuePair) {
        tag++;
        queuePair.arrive(switch (random.nextInt(12)) {
            case 0 -> TestUnits.logout();
            case 1 -> new byte[random.nextInt(TestUnits.IU_LENGTH)];
            case 2 -> TestUnits.function(tag, TaskManagement.LOGICAL_UNIT_RESET, 0);
            case 3 -> TestUnits.function(tag, TaskManagement.ABORT_TASK_SET, 0);
            case 4 -> TestUnits.function(tag, TaskManagement.ABORT_TASK, tag - 1);
            default -> TestUnits.command(tag, random.nextBoolean());
        });
    }

    private void endStoreOperation() {
        try {
            store.end(random.nextInt(8) != 0);
        } catch (RuntimeException e) {
            problems.add("a store operation ended badly: " + e);
        }
    }

    private Optional<SimId> connection() {
        List<SimId> ids = service.connections();
        return ids.isEmpty() ? Optional.empty() : Optional.of(ids.get(random.nextInt(ids.size())));
    }

    private Optional<SimId> replied() {
        return service.connections().stream().filter(id -> id.phase() == SimId.Phase.REPLIED).findFirst();
    }

    private Optional<SimQueuePair> queuePair() {
        return connection().flatMap(SimId::queuePair);
    }

    /** Ends the target, lets everything come to rest, and looks at what is left. */
    private void end() {
        if (!ending) {
            endTarget();
        }
        for (int i = 0; i < 200 && !service.closed(); i++) {
            settle();
            actors.pass(Duration.ofMillis(500));
        }
        settle();
        while (store.underWay() > 0) {
            endStoreOperation();
            late++;
        }
        settle();
        if (!service.closed()) {
            problems.add("the target did not stop");
        }
        problems.addAll(service.ledger().violations());
        if (!service.ledger().open().isEmpty()) {
            problems.add("left open: " + service.ledger().open());
        }
        if (service.memoriesAlive() != 0) {
            problems.add(service.memoriesAlive() + " memories were not freed");
        }
        for (Throwable failure : actors.takeFailures()) {
            if (!InjectedCrash.causes(failure)) {
                problems.add("an actor failed: " + failure + " at " + List.of(failure.getStackTrace()).stream()
                        .limit(4).toList());
            }
        }
    }

    private void settle() {
        while (actors.ready() > 0) {
            step();
        }
    }
}
