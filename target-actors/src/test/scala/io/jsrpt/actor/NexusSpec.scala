package io.jsrpt.actor

import io.jsrpt.srp.LoginResponse.MultichannelResult
import io.jsrpt.rdma.WorkCompletion
import org.scalatest.wordspec.AnyWordSpec

class NexusSpec extends AnyWordSpec {
  "A login with the action SINGLE" should {
    "end the nexus's older channels, and stand only after they have got their DREQ" in TargetRig() { rig =>
      val first = rig.live(TestUnits.multi(0))
      val second = rig.live(TestUnits.multi(0))
      val third = rig.login(TestUnits.single(0))
      assert(rig.sent(first) == Seq("REP", "DREQ"))
      assert(rig.sent(second) == Seq("REP", "DREQ"))
      assert(rig.sent(third) == Seq("REP"))
      assert(rig.response(third).result == MultichannelResult.TERMINATED)
      val reply = rig.journal.indexOf(s"$third REP")
      assert(rig.journal.indexOf(s"$first DREQ") < reply)
      assert(rig.journal.indexOf(s"$second DREQ") < reply)
    }

    "not wait for the older channels' DREPs, which are bounded" in TargetRig() { rig =>
      val first = rig.live()
      val second = rig.live()
      assert(!first.destroyed, "its DREQ is not answered yet")
      assert(rig.sent(second) == Seq("REP"))
      rig.pass(TestUnits.TIMEOUTS.disconnect)
      assert(first.destroyed)
      assert(!second.destroyed)
    }

    "stand only when no write of the older channels can come any more" in TargetRig() { rig =>
      val first = rig.live()
      rig.arrives(first, TestUnits.command(1, false))
      while (first.queuePair.get.completeSend()) rig.settle()
      assert(rig.store.underWay == 1)
      val second = rig.login(TestUnits.single(0))
      assert(rig.sent(first) == Seq("REP", "DREQ"), "it need not wait for that")
      assert(rig.sent(second).isEmpty)
      rig.store.end(true)
      rig.settle()
      assert(rig.sent(second) == Seq("REP"))
      assert(rig.response(second).result == MultichannelResult.TERMINATED)
    }

    "be refused, for the initiator to try again, when the store does not let go in time" in TargetRig() { rig =>
      val first = rig.live()
      rig.arrives(first, TestUnits.command(1, true))
      val second = rig.login(TestUnits.single(0))
      rig.pass(TestUnits.TIMEOUTS.login)
      assert(rig.sent(second) == Seq("REJ 28"))
      assert(rig.rejectReason(second).contains(io.jsrpt.srp.LoginReject.Reason.INSUFFICIENT_RESOURCES))
      rig.store.end(true)
      rig.pass(TestUnits.TIMEOUTS.disconnect)
      assert(rig.sent(rig.live()) == Seq("REP"))
    }

    "wait for a store that hangs, however long: no write of the old session comes after one of the new" in
      TargetRig() { rig =>
        val first = rig.live()
        rig.arrives(first, TestUnits.command(1, true))
        first.dreq()
        rig.settle()
        rig.pass(TestUnits.TIMEOUTS.drain)
        assert(first.destroyed, "the connection is freed")
        assert(rig.states() == Seq(ChannelState.DISCONNECTED))
        val second = rig.login(TestUnits.single(0))
        assert(rig.sent(second).isEmpty)
        rig.store.end(true)
        rig.settle()
        assert(rig.sent(second) == Seq("REP"))
        assert(rig.states() == Seq(ChannelState.CONNECTING))
      }

    "end an older channel that is still connecting" in TargetRig() { rig =>
      val first = rig.login(TestUnits.single(0))
      val second = rig.login(TestUnits.single(0))
      assert(first.destroyed)
      assert(rig.response(second).result == MultichannelResult.TERMINATED)
    }

    "be decided one after the other when two come at once" in TargetRig() { rig =>
      val ids = (1 to 4).map(_ => rig.arrive(TestUnits.single(0)))
      rig.settle()
      ids.foreach(_.rtu())
      rig.settle()
      rig.pass(TestUnits.TIMEOUTS.disconnect)
      assert(ids.count(!_.destroyed) == 1)
      assert(rig.states() == Seq(ChannelState.LIVE))
    }

    "leave other initiators alone" in TargetRig() { rig =>
      val other = rig.live(TestUnits.single(1), 1)
      rig.live(TestUnits.single(0))
      rig.live(TestUnits.single(0))
      assert(rig.sent(other) == Seq("REP"))
    }

    "leave a host alone that has the same initiator port identifier by mistake (report 33)" in TargetRig() { rig =>
      val one = rig.live(TestUnits.single(0), 1)
      val two = rig.live(TestUnits.single(0), 2)
      assert(rig.sent(one) == Seq("REP"))
      assert(rig.response(two).result == MultichannelResult.NO_CHANNEL)
      assert(rig.status().sessions.size == 2)
    }
  }

  "A login with the action MULTI" should {
    "say that other channels are maintained only if there are any" in TargetRig() { rig =>
      assert(rig.response(rig.live(TestUnits.multi(0))).result == MultichannelResult.NO_CHANNEL)
      assert(rig.response(rig.live(TestUnits.multi(0))).result == MultichannelResult.MAINTAINED)
      assert(rig.states() == Seq(ChannelState.LIVE, ChannelState.LIVE))
    }

    "not count channels that are on their way down" in TargetRig() { rig =>
      val first = rig.live(TestUnits.multi(0))
      rig.arrives(first, TestUnits.logout())
      assert(!first.destroyed)
      assert(rig.response(rig.live(TestUnits.multi(0))).result == MultichannelResult.NO_CHANNEL)
    }
  }

  "A new login" should {
    "not flood the log with the flushes of the old channels (report 30)" in {
      val lines = TargetRig.logged {
        TargetRig() { rig =>
          rig.live()
          val second = rig.live()
          second.queuePair.get.fail(WorkCompletion.Status.WORK_REQUEST_FLUSHED)
          rig.settle()
          rig.live()
          rig.pass(TestUnits.TIMEOUTS.disconnect)
        }
      }
      assert(!lines.exists(line => line.startsWith("WARN") || line.startsWith("ERROR")), lines)
    }
  }

  "A nexus" should {
    "end with its last channel, so that ten further logins work and nothing piles up" in TargetRig() { rig =>
      for (_ <- 1 to 10) {
        val id = rig.live()
        id.dreq()
        rig.settle()
        assert(id.destroyed)
        assert(rig.sent(id) == Seq("REP", "DREP"))
        assert(rig.status().sessions.isEmpty)
      }
      assert(rig.service.memoriesAlive == 0)
    }
  }
}
