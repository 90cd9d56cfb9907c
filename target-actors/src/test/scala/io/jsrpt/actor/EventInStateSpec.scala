package io.jsrpt.actor

import io.jsrpt.testing.rdma.SimId
import org.scalatest.wordspec.AnyWordSpec

/** Each connection manager event, told to a channel in each state: what the peer gets, and what becomes of the id. */
class EventInStateSpec extends AnyWordSpec {
  private val reach: Map[ChannelState, TargetRig => SimId] = Map(
    ChannelState.CONNECTING -> (_.login(TestUnits.single(0))),
    ChannelState.LIVE -> (_.live()),
    ChannelState.DISCONNECTING -> { rig =>
      val id = rig.live()
      rig.arrives(id, TestUnits.logout())
      id
    },
    ChannelState.DRAINING -> { rig =>
      val id = rig.live()
      // A store that has not answered keeps the channel from having drained.
      rig.arrives(id, TestUnits.command(1, true))
      rig.arrives(id, TestUnits.logout())
      rig.pass(TestUnits.TIMEOUTS.disconnect)
      id
    })

  private val events: Seq[(String, SimId => Unit)] = Seq(
    "Established" -> (_.rtu()),
    "Rejected" -> (_.rejectReply()),
    "Unreachable" -> (_.unreachable()),
    "ConnectError" -> (_.connectError()),
    "Disconnected" -> (_.dreq()),
    "TimewaitExit" -> (_.timewaitExit()),
    "DeviceRemoved" -> (_.deviceRemoved()),
    "AddressChanged" -> (_.addressChanged()))

  private val staying = Set(
    ChannelState.CONNECTING -> "Established", ChannelState.CONNECTING -> "AddressChanged",
    ChannelState.LIVE -> "Established", ChannelState.LIVE -> "AddressChanged",
    ChannelState.DISCONNECTING -> "Established", ChannelState.DISCONNECTING -> "AddressChanged")

  for {
    (state, make) <- reach.toSeq.sortBy(_._1)
    (name, tell) <- events
  }
    s"A channel in $state that is told $name" should {
      val ends = state != ChannelState.DRAINING && !staying(state -> name)

      (if (ends) "free everything" else "go on, and still end") in TargetRig() { rig =>
        val id = make(rig)
        assert(rig.states() == Seq(state))
        val before = rig.sent(id)
        tell(id)
        rig.settle()
        val answer = if (name == "Disconnected") Seq("DREP") else Seq.empty
        assert(rig.sent(id) == before ++ answer, "report 20: a DREQ is always answered")
        assert(id.destroyed == (ends || name == "DeviceRemoved"))
        rig.store.end(true)
        rig.settle()
        rig.pass(TestUnits.TIMEOUTS.disconnect)
        if (ends || state.compareTo(ChannelState.LIVE) > 0) assert(id.destroyed)
        assert(!id.unansweredDreq)
        assert(rig.sent(rig.live()) == Seq("REP"), "the next login works")
      }
    }

  "A channel that drains" should {
    "wait for its store, but not for ever" in TargetRig() { rig =>
      val id = reach(ChannelState.DRAINING)(rig)
      rig.pass(TestUnits.TIMEOUTS.drain)
      assert(id.destroyed)
      assert(rig.service.memoriesAlive == 1, "the store still writes into the channel's memory")
      assert(rig.store.end(true))
      assert(rig.service.memoriesAlive == 0)
    }
  }

  "A channel whose work fails" should {
    "end its connection" in TargetRig() { rig =>
      val id = rig.live()
      id.queuePair.get.fail(io.jsrpt.rdma.WorkCompletion.Status.RETRY_EXCEEDED)
      rig.settle()
      assert(rig.sent(id) == Seq("REP", "DREQ"))
      rig.pass(TestUnits.TIMEOUTS.disconnect)
      assert(id.destroyed)
    }
  }
}
