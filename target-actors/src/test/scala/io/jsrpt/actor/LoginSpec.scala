package io.jsrpt.actor

import io.jsrpt.srp.{LoginReject, LoginRequest, LoginResponse, PortId}
import io.jsrpt.srp.LoginReject.Reason
import java.util.List
import org.scalatest.wordspec.AnyWordSpec

class LoginSpec extends AnyWordSpec {
  private def changed(change: LoginRequest => LoginRequest): Array[Byte] =
    change(TestUnits.login(0, LoginRequest.ACTION_SINGLE)).encode(LoginRequest.Form.SHORT)

  private def refused(rig: TargetRig, login: Array[Byte], reason: Reason): Unit = {
    val id = rig.login(login)
    assert(rig.sent(id) == Seq("REJ 28"))
    assert(rig.rejectReason(id).contains(reason))
    assert(id.destroyed)
    assert(rig.status().sessions.isEmpty, "a refused login leaves nothing behind")
  }

  "A good login" should {
    "be answered with the credits that receives are posted for" in TargetRig() { rig =>
      val id = rig.login(TestUnits.single(0))
      assert(rig.sent(id) == Seq("REP"))
      val response = rig.response(id)
      assert(response.requestLimit == 3)
      assert(response.requestLimit <= id.queuePair.get.postedReceives)
      assert(response.tag == 7)
      assert(response.maxInitiatorToTargetLength == TestUnits.IU_LENGTH)
      assert(response.result == LoginResponse.MultichannelResult.NO_CHANNEL)
      assert(!id.destroyed)
    }

    "be served once the RTU is there, and not before" in TargetRig() { rig =>
      val id = rig.login(TestUnits.single(0))
      // Report 23 (commands before the RTU): the unit waits, in its order.
      rig.arrives(id, TestUnits.command(1, true))
      rig.arrives(id, TestUnits.command(2, false))
      assert(rig.store.underWay == 0)
      assert(rig.states() == Seq(ChannelState.CONNECTING))
      id.rtu()
      rig.settle()
      assert(rig.states() == Seq(ChannelState.LIVE))
      assert(rig.store.underWay == 1, "the read is with the store, the write fetches its data first")
      assert(id.queuePair.get.outstandingSends == 1)
    }

    "show in the status with names, identifiers, state and credits (report 24, sessions not listed)" in
      TargetRig() { rig =>
        rig.live(TestUnits.multi(0))
        rig.live(TestUnits.multi(0))
        rig.live(TestUnits.single(1), 1)
        val sessions = rig.status().sessions
        assert(sessions.size == 2)
        val first = sessions.get(0)
        assert(first.name == "10.0.1.0/" + TestUnits.initiator(0))
        assert(first.initiatorPort == TestUnits.initiator(0))
        assert(first.targetPort == new PortId(TestUnits.GUID, TestUnits.GUID))
        assert(first.remote == TestUnits.remote(0))
        assert(first.channels.size == 2)
        assert(first.channels.get(0).state == ChannelState.LIVE)
        assert(first.channels.get(0).statistics.creditsHeld == 3)
      }

    "log with the session's name" in {
      val lines = TargetRig.logged(TargetRig()(rig => rig.live()))
      assert(lines.exists(l => l.startsWith("INFO 10.0.1.0/" + TestUnits.initiator(0) + " ") && l.contains("is live")), lines)
    }
  }

  "A login" should {
    "be refused when it is no SRP_LOGIN_REQ" in TargetRig() { rig =>
      refused(rig, new Array[Byte](55), Reason.UNABLE_TO_ESTABLISH)
      refused(rig, new Array[Byte](0), Reason.UNABLE_TO_ESTABLISH)
      val response = TestUnits.single(0)
      response(11) = 0xc0.toByte
      refused(rig, response, Reason.UNABLE_TO_ESTABLISH)
    }

    "be refused for a unit length that is too large or too small" in TargetRig() { rig =>
      def length(l: Long) = changed(r => new LoginRequest(
        r.opcode, r.tag, l, r.bufferFormats, r.flags, r.immediateDataOffset, r.initiator, r.target))
      refused(rig, length(TestUnits.IU_LENGTH + 1), Reason.IU_LENGTH_TOO_LARGE)
      refused(rig, length(0xffffffffL), Reason.IU_LENGTH_TOO_LARGE)
      refused(rig, length(63), Reason.UNABLE_TO_ESTABLISH)
    }

    "be refused for another target port" in TargetRig() { rig =>
      refused(rig, changed(r => new LoginRequest(r.opcode, r.tag, r.requestedIuLength, r.bufferFormats, r.flags,
        r.immediateDataOffset, r.initiator, new PortId(TestUnits.GUID, 1))), Reason.UNABLE_TO_ASSOCIATE)
    }

    "be refused for buffer formats and multichannel actions that SRP does not have" in TargetRig() { rig =>
      refused(rig, changed(r => new LoginRequest(r.opcode, r.tag, r.requestedIuLength, 0x8000, r.flags,
        r.immediateDataOffset, r.initiator, r.target)), Reason.UNSUPPORTED_BUFFER_FORMAT)
      refused(rig, TestUnits.login(0, 2).encode(LoginRequest.Form.SHORT), Reason.MULTICHANNEL_UNSUPPORTED)
      refused(rig, TestUnits.login(0, 3).encode(LoginRequest.Form.SHORT), Reason.MULTICHANNEL_UNSUPPORTED)
    }

    "echo its tag in the reject" in TargetRig() { rig =>
      val id = rig.login(TestUnits.login(0, 3).encode(LoginRequest.Form.SHORT))
      assert(LoginReject.decode(id.answer.get).get.tag == 7)
    }

    "be refused when the initiator is not allowed, and log the names that a rule must use (report 25)" in {
      val lines = TargetRig.logged {
        TargetRig(_.withAllowedInitiators(AllowedInitiators.of(List.of("10.0.1.1")))) { rig =>
          refused(rig, TestUnits.single(0), Reason.CHANNEL_LIMIT)
          assert(rig.sent(rig.login(TestUnits.single(1), 1)) == Seq("REP"))
        }
      }
      val names = AllowedInitiators.namesOf(TestUnits.initiator(0), TestUnits.remote(0)).toString
      assert(lines.exists(_.contains(names)), lines)
    }

    "be refused beyond the channels of a nexus (report 27), and say so in the log" in {
      val lines = TargetRig.logged {
        TargetRig() { rig =>
          (1 to 3).foreach(_ => rig.live(TestUnits.multi(0)))
          val fourth = rig.login(TestUnits.multi(0))
          assert(rig.sent(fourth) == Seq("REJ 28"))
          assert(rig.rejectReason(fourth).contains(Reason.CHANNEL_LIMIT))
          assert(fourth.destroyed)
          assert(rig.sent(rig.login(TestUnits.multi(1), 1)) == Seq("REP"), "another nexus has its own channels")
        }
      }
      assert(lines.exists(l => l.contains("rejected") && l.contains("has 3 channels")), lines)
    }

    for (call <- Seq("create a completion queue", "create a queue pair", "register memory", "post a receive", "accept"))
      s"be refused for want of resources when the device cannot $call" in {
        val faults = new ChosenFaults
        TargetRig(faults = faults) { rig =>
          faults.refused = Set(call)
          refused(rig, TestUnits.single(0), Reason.INSUFFICIENT_RESOURCES)
          faults.refused = Set.empty
          assert(rig.sent(rig.live()) == Seq("REP"), "the next login is not worse off")
        }
      }

    for (call <- Seq("create a queue pair", "accept"))
      s"count as refused when the channel crashes as it wants to $call" in {
        val faults = new ChosenFaults
        TargetRig(faults = faults) { rig =>
          val other = rig.live(TestUnits.single(1), 1)
          faults.crashing = Set(call)
          val id = rig.login(TestUnits.single(0))
          faults.crashing = Set.empty
          assert(rig.sent(id) == Seq("REJ 28"))
          assert(rig.rejectReason(id).contains(Reason.INSUFFICIENT_RESOURCES))
          assert(id.destroyed)
          assert(!other.destroyed)
        }
      }

    "count as refused when the channel does not decide in time; a late channel finds the offer withdrawn" in
      TargetRig() { rig =>
        val id = rig.arrive(TestUnits.single(0))
        // Everyone but the channel runs: it has its offer, and has not looked at it.
        rig.actors.settleWithout("/channel-")
        rig.actors.pass(TestUnits.TIMEOUTS.login)
        rig.actors.settleWithout("/channel-")
        assert(rig.sent(id) == Seq("REJ 28"))
        rig.settle()
        assert(rig.sent(id) == Seq("REJ 28"))
        assert(id.destroyed)
      }

    "be destroyed although the reject cannot be sent" in {
      val faults = new ChosenFaults
      TargetRig(faults = faults) { rig =>
        faults.refused = Set("reject")
        val id = rig.login(new Array[Byte](0))
        assert(rig.sent(id).isEmpty)
        assert(id.destroyed)
      }
    }

    "end without an answer when the initiator gives up before it" in TargetRig() { rig =>
      val id = rig.arrive(TestUnits.single(0))
      id.rejectReply()
      rig.settle()
      assert(id.destroyed)
      assert(rig.status().sessions.isEmpty)
    }

    "be given up when no RTU comes" in TargetRig() { rig =>
      val id = rig.login(TestUnits.single(0))
      rig.pass(TestUnits.TIMEOUTS.establish)
      assert(id.destroyed)
      assert(rig.status().sessions.isEmpty)
    }
  }
}
