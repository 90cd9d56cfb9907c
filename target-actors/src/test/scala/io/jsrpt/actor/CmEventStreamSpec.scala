package io.jsrpt.actor

import org.scalatest.wordspec.AnyWordSpec

/** The stream between a CM event channel and its actor. */
class CmEventStreamSpec extends AnyWordSpec {
  "A CM actor that does not keep up" should {
    "leave the events with the provider, but for one on its way and one behind it" in TargetRig() { rig =>
      val ids = (1 to 20).map(host => rig.arrive(TestUnits.single(host), host))
      rig.actors.settleOnly(_.contains("StreamSupervisor"))
      assert(rig.service.device(0).waitingEvents >= 18)
      rig.settle()
      assert(rig.service.device(0).waitingEvents == 0)
      assert(ids.forall(id => rig.sent(id) == Seq("REP")), "none is lost, and none is late for ever")
    }

    "hand on a connection's events in the provider's order" in {
      val lines = TargetRig.logged {
        TargetRig() { rig =>
          val id = rig.login(TestUnits.single(0))
          id.rtu()
          id.dreq()
          rig.settle()
          assert(id.destroyed)
        }
      }
      val steps = lines.filter(_.contains(" -> "))
      assert(steps.size == 3, steps)
      assert(steps.head.contains("CONNECTING -> LIVE"))
      assert(steps(1).contains("LIVE -> DRAINING"))
      assert(steps(2).contains("DRAINING -> DISCONNECTED"))
    }
  }

  "Events that the provider still has when a target stops" should {
    "cost nothing but their connections" in TargetRig() { rig =>
      val ids = (1 to 20).map(host => rig.arrive(TestUnits.single(host), host))
      rig.actors.settleOnly(_.contains("StreamSupervisor"))
      rig.ask[akka.Done](new TargetCommand.Shutdown(_), rig.pass(TestUnits.TIMEOUTS.shutdown))
      assert(ids.forall(_.destroyed))
      assert(rig.service.closed)
    }
  }
}
