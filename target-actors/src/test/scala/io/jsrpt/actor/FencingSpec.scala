package io.jsrpt.actor

import io.jsrpt.srp.SrpOpcode
import io.jsrpt.testing.rdma.SimId
import org.scalatest.wordspec.AnyWordSpec
import scala.jdk.CollectionConverters._

/** After a nexus was told that others are excluded, no write of theirs reaches the store. */
class FencingSpec extends AnyWordSpec {
  private val Reserve = 0x16
  private val Release = 0x17
  private val TestUnitReady = 0x00
  private val Conflict = 0x18

  private def status(rig: TargetRig, id: SimId, tag: Long): Option[Int] = {
    while (id.queuePair.get.completeSend()) rig.settle()
    rig.settle()
    id.queuePair.get.sent.asScala.filter(unit => (unit(0) & 0xff) == SrpOpcode.RSP)
      .find(unit => java.nio.ByteBuffer.wrap(unit).getLong(8) == tag).map(_(19).toInt)
  }

  private def two(rig: TargetRig): (SimId, SimId) = (rig.live(TestUnits.multi(0)), rig.live(TestUnits.single(1), 1))

  "A reservation" should {
    "be answered only when the store has no write of others any more" in TargetRig() { rig =>
      val (one, other) = two(rig)
      rig.arrives(other, TestUnits.command(1, false))
      while (other.queuePair.get.completeSend()) rig.settle()
      assert(rig.store.underWay == 1, "the write is with the store")
      rig.arrives(one, TestUnits.sixBytes(9, Reserve))
      assert(status(rig, one, 9).isEmpty)
      rig.arrives(other, TestUnits.sixBytes(2, TestUnitReady))
      assert(status(rig, other, 2).contains(Conflict), "it holds from the moment it is published")
      rig.store.end(true)
      rig.settle()
      assert(status(rig, one, 9).contains(0))
      assert(status(rig, other, 1).contains(0), "what was in the store is answered as what it was")
      rig.arrives(one, TestUnits.sixBytes(10, Release))
      assert(status(rig, one, 10).contains(0))
      rig.arrives(other, TestUnits.sixBytes(3, TestUnitReady))
      assert(status(rig, other, 3).contains(0))
    }

    "hold for a write whose data were on their way when it came" in TargetRig() { rig =>
      val (one, other) = two(rig)
      rig.arrives(other, TestUnits.command(1, false))
      assert(rig.store.underWay == 0, "its data are being fetched")
      rig.arrives(one, TestUnits.sixBytes(9, Reserve))
      assert(status(rig, one, 9).contains(0), "there is nothing to wait for")
      while (other.queuePair.get.completeSend()) rig.settle()
      assert(rig.store.underWay == 0, "the store never sees it")
      assert(status(rig, other, 1).contains(Conflict))
    }

    "wait for what the store has of a nexus that is gone" in TargetRig() { rig =>
      val (one, other) = two(rig)
      rig.arrives(other, TestUnits.command(1, false))
      while (other.queuePair.get.completeSend()) rig.settle()
      other.deviceRemoved()
      rig.settle()
      rig.arrives(one, TestUnits.sixBytes(9, Reserve))
      assert(status(rig, one, 9).isEmpty)
      rig.store.end(true)
      rig.settle()
      assert(status(rig, one, 9).contains(0))
    }

    "end with its nexus" in TargetRig() { rig =>
      val (one, other) = two(rig)
      rig.arrives(one, TestUnits.sixBytes(9, Reserve))
      assert(status(rig, one, 9).contains(0))
      rig.arrives(other, TestUnits.sixBytes(1, TestUnitReady))
      assert(status(rig, other, 1).contains(Conflict))
      one.deviceRemoved()
      rig.settle()
      rig.arrives(other, TestUnits.sixBytes(2, TestUnitReady))
      assert(status(rig, other, 2).contains(0))
    }
  }
}
