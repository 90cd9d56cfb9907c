package io.jsrpt.actor

import io.jsrpt.scsi.LogicalUnit
import io.jsrpt.srp.SrpOpcode
import io.jsrpt.testing.rdma.SimId
import org.scalatest.wordspec.AnyWordSpec
import scala.jdk.CollectionConverters._

/** A volume that grows while it is used. */
class CapacitySpec extends AnyWordSpec {
  private val LastBlock = 8191

  /** Status, sense key, additional sense code and qualifier of a response, if there is one. */
  private def answer(rig: TargetRig, id: SimId, tag: Long): Option[Seq[Int]] = {
    while (id.queuePair.get.completeSend()) rig.settle()
    rig.settle()
    id.queuePair.get.sent.asScala.filter(unit => (unit(0) & 0xff) == SrpOpcode.RSP)
      .find(unit => java.nio.ByteBuffer.wrap(unit).getLong(8) == tag).map { unit =>
        if (unit(19) == 0) Seq(0) else Seq[Int](unit(19), unit(38), unit(48), unit(49)).map(_ & 0xff)
      }
  }

  private def reads(rig: TargetRig, id: SimId, tag: Long, block: Int): Option[Seq[Int]] = {
    rig.arrives(id, TestUnits.command(tag, true, block))
    while (rig.store.end(true)) rig.settle()
    answer(rig, id, tag)
  }

  "A unit whose store has grown" should {
    "serve the new blocks and tell every nexus, while its I/O goes on" in {
      var unit: LogicalUnit = null
      TargetRig(settings => { unit = settings.logicalUnits.get(0); settings }) { rig =>
        val (one, other) = (rig.live(TestUnits.multi(0)), rig.live(TestUnits.single(1), 1))
        assert(reads(rig, one, 1, LastBlock).contains(Seq(2, 5, 0x21, 0)), "it is not there yet")
        rig.arrives(one, TestUnits.command(2, true))
        rig.store.resize(LastBlock + 1)
        assert(unit.refreshCapacity())
        rig.settle()
        rig.store.end(true)
        rig.settle()
        assert(answer(rig, one, 2).contains(Seq(0)), "a command that was under way is not disturbed")
        Seq(one, other).foreach { id =>
          assert(reads(rig, id, 3, LastBlock).contains(Seq(2, 6, 0x2a, 9)))
          assert(reads(rig, id, 4, LastBlock).contains(Seq(0)))
        }
        assert(!unit.refreshCapacity(), "it is told once")
      }
    }
  }
}
