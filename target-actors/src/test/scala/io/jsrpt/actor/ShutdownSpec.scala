package io.jsrpt.actor

import akka.Done
import akka.actor.PoisonPill
import akka.actor.typed.javadsl.Adapter
import io.jsrpt.srp.{LoginReject, SrpOpcode}
import org.scalatest.wordspec.AnyWordSpec

class ShutdownSpec extends AnyWordSpec {
  private val shutdown = (replyTo: akka.actor.typed.ActorRef[Done]) => new TargetCommand.Shutdown(replyTo)

  "Shutting a target down" should {
    "first stop listening on all devices, then end each session with a DREQ, then free everything, then answer " +
      "(report 8, events after the end)" in
      TargetRig(devices = 2) { rig =>
        val ids = Seq(rig.live(device = 0), rig.live(TestUnits.single(1), 1, 1), rig.live(TestUnits.single(2), 2))
        val before = rig.journal.size
        assert(rig.ask(shutdown).isEmpty, "the sessions have not ended")
        val first = rig.journal.drop(before)
        val dreqs = ids.map(id => s"$id DREQ")
        assert(first.take(2).forall(_.endsWith("destroyed")), first)
        assert(first.drop(2).toSet == dreqs.toSet, first)
        ids.foreach(_.dreq())
        rig.settle()
        assert(ids.forall(_.destroyed))
        assert(rig.service.closed)
      }

    "tell the initiator with an SRP_T_LOGOUT before the DREQ" in TargetRig() { rig =>
      val id = rig.live()
      rig.ask(shutdown)
      val units = id.queuePair.get.handedOver
      assert(units.size == 1)
      assert((units.get(0)(0) & 0xff) == SrpOpcode.T_LOGOUT)
      assert(rig.sent(id) == Seq("REP", "DREQ"))
    }

    "answer when everything is freed" in TargetRig() { rig =>
      val id = rig.live()
      var closed = false
      val answer = rig.ask(shutdown, { id.dreq(); rig.settle(); closed = rig.service.closed })
      assert(answer.contains(Done.getInstance()))
      assert(closed)
    }

    "answer at once when there are no sessions" in TargetRig() { rig =>
      assert(rig.ask(shutdown).isDefined)
    }

    "be bounded when an initiator does not answer its DREQ" in TargetRig() { rig =>
      val id = rig.live()
      assert(rig.ask(shutdown, rig.pass(TestUnits.TIMEOUTS.disconnect)).isDefined)
      assert(id.destroyed)
    }

    "be bounded when a store does not answer, whose memory is left to it" in TargetRig() { rig =>
      val id = rig.live()
      rig.arrives(id, TestUnits.command(1, true))
      assert(rig.ask(shutdown, rig.pass(TestUnits.TIMEOUTS.shutdown)).isDefined)
      assert(rig.service.closed)
      assert(rig.service.ledger.open.isEmpty)
      assert(rig.service.memoriesAlive == 1)
      assert(rig.store.end(true))
      assert(rig.service.memoriesAlive == 0)
    }

    "refuse a login that comes before the last session has ended (report 15)" in TargetRig() { rig =>
      val live = rig.live()
      val late = rig.arrive(TestUnits.single(1), 1)
      rig.target.tell(new TargetCommand.Shutdown(rig.actors.system.ignoreRef))
      rig.actors.settleWithout("/channel-")
      rig.settle()
      assert(rig.sent(late) == Seq("REJ 28"))
      assert(rig.rejectReason(late).contains(LoginReject.Reason.INSUFFICIENT_RESOURCES))
      assert(late.destroyed)
      assert(!live.destroyed, "its DREQ is not answered yet")
    }

    "be the same when it is asked for twice" in TargetRig() { rig =>
      val id = rig.live()
      rig.ask(shutdown)
      val answer = rig.ask(shutdown, { id.dreq(); rig.settle() })
      assert(answer.isDefined)
      assert(rig.sent(id) == Seq("REP", "DREQ", "DREP"))
    }
  }

  "A target that is stopped by its host" should {
    "free everything all the same" in TargetRig() { rig =>
      val id = rig.live()
      rig.login(TestUnits.single(1), 1)
      rig.arrive(TestUnits.single(2), 2)
      Adapter.toClassic(rig.target).tell(PoisonPill.getInstance, akka.actor.ActorRef.noSender)
      rig.settle()
      assert(id.destroyed)
      assert(rig.service.closed)
      assert(rig.service.ledger.open.isEmpty)
    }
  }

  "Closing a session" should {
    "end its channels in order and answer when they are gone" in TargetRig() { rig =>
      val one = rig.live(TestUnits.multi(0))
      val two = rig.live(TestUnits.multi(0))
      val other = rig.live(TestUnits.single(1), 1)
      val name = rig.status().sessions.get(0).name
      val close = (replyTo: akka.actor.typed.ActorRef[Integer]) => new TargetCommand.CloseSession(name, replyTo)
      val answer = rig.ask(close, { one.dreq(); two.dreq(); rig.settle() })
      assert(answer.contains(1))
      assert(one.destroyed && two.destroyed)
      assert(rig.sent(one) == Seq("REP", "DREQ", "DREP"))
      assert(rig.sent(other) == Seq("REP"))
      assert(rig.ask(close).contains(0), "there is no such session any more")
    }
  }
}
