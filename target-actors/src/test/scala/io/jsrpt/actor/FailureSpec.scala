package io.jsrpt.actor

import akka.actor.typed.ActorRef
import io.jsrpt.testing.rdma.{Faults, SimId}
import java.time.Duration
import org.scalatest.wordspec.AnyWordSpec
import scala.jdk.CollectionConverters._
import scala.jdk.OptionConverters._

/** What a failure costs. */
class FailureSpec extends AnyWordSpec {
  private def listening(rig: TargetRig): Seq[Boolean] =
    rig.status().listeners.asScala.toSeq.map(_.listening)

  "A channel that crashes" should {
    for (call <- Seq("poll completions", "post to the send queue", "post a receive", "disconnect"))
      s"cost its own connection and nothing else (as it wants to $call)" in {
        val faults = new ChosenFaults
        TargetRig(faults = faults) { rig =>
          val other = rig.live(TestUnits.multi(0))
          val same = rig.live(TestUnits.multi(0))
          val id = rig.live(TestUnits.single(1), 1)
          faults.crashing = Set(call)
          id.queuePair.get.arrive(TestUnits.command(1, false))
          rig.settle()
          id.queuePair.get.arrive(TestUnits.logout())
          rig.settle()
          faults.crashing = Set.empty
          assert(id.destroyed)
          assert(rig.states() == Seq(ChannelState.LIVE, ChannelState.LIVE))
          assert(!other.destroyed && !same.destroyed)
          rig.arrives(other, TestUnits.command(1, true))
          assert(rig.store.underWay == 1, "the others are served")
          assert(rig.sent(rig.live(TestUnits.single(1), 1)) == Seq("REP"), "the initiator may come back")
        }
      }

    "leave its memory to a store that still writes into it" in {
      val faults = new ChosenFaults
      TargetRig(faults = faults) { rig =>
        val id = rig.live()
        rig.arrives(id, TestUnits.command(1, true))
        faults.crashing = Set("poll completions")
        id.queuePair.get.arrive(TestUnits.command(2, true))
        rig.settle()
        faults.crashing = Set.empty
        assert(id.destroyed)
        assert(rig.service.memoriesAlive == 1)
        assert(rig.store.end(true), "the memory is still there")
        assert(rig.service.memoriesAlive == 0)
      }
    }
  }

  "A listener that crashes" should {
    "cost its own connections, and listen again after a while" in {
      val faults = new ChosenFaults
      TargetRig(faults = faults, devices = 2) { rig =>
        val id = rig.live()
        val other = rig.live(TestUnits.single(1), 1, 1)
        faults.crashing = Set("poll events")
        id.addressChanged()
        rig.settle()
        faults.crashing = Set.empty
        assert(id.destroyed)
        assert(!other.destroyed)
        assert(listening(rig).toSet == Set(true, false))
        rig.pass(TestUnits.TIMEOUTS.retry)
        assert(listening(rig) == Seq(true, true))
        assert(rig.sent(rig.live()) == Seq("REP"))
      }
    }
  }

  "A device that is removed" should {
    "cost its connections, do no harm, and be used again when it is back (report 9, hot unplug)" in {
      val faults = new ChosenFaults
      TargetRig(faults = faults, devices = 2) { rig =>
        val id = rig.live()
        val connecting = rig.login(TestUnits.single(2), 2)
        val other = rig.live(TestUnits.single(1), 1, 1)
        rig.arrives(id, TestUnits.command(1, true))
        faults.refused = Set("create an event channel")
        rig.service.device(0).removed()
        rig.settle()
        assert(id.destroyed && connecting.destroyed)
        assert(!other.destroyed)
        rig.pass(TestUnits.TIMEOUTS.retry)
        assert(listening(rig).toSet == Set(true, false), "it is still away")
        faults.refused = Set.empty
        rig.pass(TestUnits.TIMEOUTS.retry)
        assert(listening(rig) == Seq(true, true))
        assert(rig.sent(rig.live()) == Seq("REP"))
      }
    }
  }

  "A target" should {
    "serve a login that comes as soon as a listener is there (report 22, logins during start)" in {
      val rig = new TargetRig(identity, Faults.NONE, 1, started = false)
      try {
        var early: Option[SimId] = None
        while (early.isEmpty) {
          assert(rig.actors.ready > 0)
          rig.actors.step(new java.util.Random(1))
          early = rig.service.device(0)
            .request(TestUnits.remote(0), TestUnits.SERVICE, TestUnits.single(0)).toScala
        }
        rig.settle()
        assert(rig.sent(early.get) == Seq("REP"))
        rig.finish()
      } finally rig.actors.close()
    }

    "take back what it opened when it can open no more of it (reports 10 and 12, half an add)" in {
      val faults = new ChosenFaults
      faults.refused = Set("listen")
      TargetRig(_.withInfinibandService(true), faults, 2) { rig =>
        val open = rig.service.ledger.open
        assert(open.size == 3, s"the service and two protection domains, but $open")
      }
    }

    for (call <- Seq("listen", "create an event channel", "allocate a protection domain"))
      s"try again when a device cannot $call (report 26, a port that is not there yet)" in {
        val faults = new ChosenFaults
        faults.refused = Set(call)
        TargetRig(faults = faults) { rig =>
          assert(listening(rig) == Seq(false))
          assert(rig.status().listeners.get(0).problem.contains("cannot " + call))
          val waiting = rig.ask[TargetStatus](new TargetCommand.AwaitListening(_))
          assert(waiting.exists(!_.listeners.get(0).listening), "the failure is told, not waited out")
          faults.refused = Set.empty
          rig.pass(TestUnits.TIMEOUTS.retry)
          assert(listening(rig) == Seq(true))
          assert(rig.sent(rig.live()) == Seq("REP"))
        }
      }

    "listen to its service id without the first byte of its GUID (report 6, locally assigned bits)" in
      TargetRig(_.withInfinibandService(true)) { rig =>
        val services = rig.status().listeners.asScala.map(_.service.value)
        assert(services.toSet == Set(TestUnits.SERVICE.value, TestUnits.GUID & 0x00ffffffffffffffL))
      }

    "answer with its status although a channel does not, or ends before it can" in TargetRig() { rig =>
      val silent = rig.live()
      val question = (replyTo: ActorRef[TargetStatus]) => new TargetCommand.GetStatus(replyTo)
      val late = rig.ask(question, {
        rig.actors.pass(Duration.ofSeconds(1))
        rig.actors.settleWithout("/channel-")
      }, "/channel-")
      assert(late.exists(_.sessions.isEmpty))
      rig.settle()
      val gone = rig.ask(question, {
        silent.deviceRemoved()
        rig.settle()
      }, "/channel-")
      assert(gone.isDefined, "it does not wait for one that is gone")
      assert(rig.status().sessions.isEmpty)
    }
  }
}
