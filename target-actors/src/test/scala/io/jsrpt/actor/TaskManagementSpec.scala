package io.jsrpt.actor

import io.jsrpt.srp.{SrpOpcode, TaskManagement}
import io.jsrpt.testing.rdma.SimId
import org.scalatest.wordspec.AnyWordSpec
import scala.jdk.CollectionConverters._

/** Task management functions that reach further than the channel they came by. */
class TaskManagementSpec extends AnyWordSpec {
  private def completeSends(rig: TargetRig, id: SimId): Unit = {
    while (id.queuePair.get.completeSend()) rig.settle()
    rig.settle()
  }

  /** The tags and status or response codes of the responses that a channel has sent. */
  private def responses(rig: TargetRig, id: SimId): Seq[(Long, Int)] = {
    completeSends(rig, id)
    id.queuePair.get.sent.asScala.toSeq.filter(unit => (unit(0) & 0xff) == SrpOpcode.RSP).map { unit =>
      val bytes = java.nio.ByteBuffer.wrap(unit)
      (bytes.getLong(8), if ((unit(18) & 1) != 0) unit(39).toInt else unit(19).toInt)
    }
  }

  "A LUN reset" should {
    "abort the commands of all channels, and be answered when they are gone" in TargetRig() { rig =>
      val one = rig.live(TestUnits.multi(0))
      val two = rig.live(TestUnits.multi(0))
      val other = rig.live(TestUnits.single(1), 1)
      Seq(one, two, other).zipWithIndex.foreach { case (id, i) => rig.arrives(id, TestUnits.command(i + 1, true)) }
      assert(rig.store.underWay == 3)
      rig.arrives(one, TestUnits.function(9, TaskManagement.LOGICAL_UNIT_RESET, 0))
      assert(!responses(rig, one).map(_._1).contains(9L), "the store still has commands of the unit")
      while (rig.store.end(true)) rig.settle()
      assert(responses(rig, one).contains((9L, TaskManagement.COMPLETE)))
      assert(responses(rig, two).isEmpty, "an aborted command has no response")
      assert(responses(rig, other).isEmpty)
      rig.arrives(two, TestUnits.command(10, true))
      assert(responses(rig, two) == Seq((10L, 2)), "the reset is told first, by a unit attention")
      rig.arrives(two, TestUnits.command(11, true))
      rig.store.end(true)
      rig.settle()
      assert(responses(rig, two) == Seq((10L, 2), (11L, 0)), "the channels go on")
    }

    "not wait for a channel that is gone, but for what the store still does for it" in TargetRig() { rig =>
      val one = rig.live(TestUnits.multi(0))
      val other = rig.live(TestUnits.single(1), 1)
      rig.arrives(other, TestUnits.command(1, true))
      rig.arrives(one, TestUnits.function(9, TaskManagement.LOGICAL_UNIT_RESET, 0))
      assert(responses(rig, one).isEmpty)
      other.deviceRemoved()
      rig.settle()
      assert(other.destroyed)
      assert(responses(rig, one).isEmpty, "it could be a write")
      rig.store.end(true)
      rig.settle()
      assert(responses(rig, one) == Seq((9L, TaskManagement.COMPLETE)))
    }
  }

  "ABORT TASK SET" should {
    "abort the commands of its own nexus only" in TargetRig() { rig =>
      val one = rig.live(TestUnits.multi(0))
      val two = rig.live(TestUnits.multi(0))
      val other = rig.live(TestUnits.single(1), 1)
      rig.arrives(two, TestUnits.command(1, true))
      rig.arrives(other, TestUnits.command(2, true))
      rig.arrives(one, TestUnits.function(9, TaskManagement.ABORT_TASK_SET, 0))
      while (rig.store.end(true)) rig.settle()
      assert(responses(rig, one) == Seq((9L, TaskManagement.COMPLETE)))
      assert(responses(rig, two).isEmpty)
      assert(responses(rig, other) == Seq((2L, 0)))
    }
  }
}
