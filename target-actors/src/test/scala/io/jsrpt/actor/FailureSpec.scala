package io.jsrpt.actor

import org.scalatest.wordspec.AnyWordSpec
import scala.jdk.CollectionConverters._

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

  "A target" should {
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

    "survive a status that channels do not answer in time" in TargetRig() { rig =>
      rig.live()
      val status = rig.ask[TargetStatus](new TargetCommand.GetStatus(_))
      assert(status.get.sessions.size == 1)
    }
  }
}
