package io.jsrpt.it

import io.jsrpt.it.initiator.ScsiCommand
import java.util.Random
import org.scalatest.wordspec.AnyWordSpec

/** What is read is what was written, whatever describes the buffers. */
class DataOverUdpSpec extends AnyWordSpec {
  private val shapes = Seq(
    Shape.Direct, Shape.Indirect(512), Shape.Indirect(4096), Shape.Indirect(700), Shape.External(4096, 0),
    Shape.External(4096, 3))

  for (family <- Family.all) {
    s"A disk over $family" should {
      "keep every byte of transfers of many sizes, with every kind of descriptor" in Stage(family) { stage =>
        val session = stage.session()
        val disk = Disk(session)
        for (shape <- shapes; (lba, count) <- Seq(0 -> 1, 1 -> 1, 3 -> 7, 9 -> 8, 100 -> 64, 500 -> 127)) {
          disk.write(lba, count, shape)
          disk.check(lba, count, shape)
        }
        for (write <- shapes; read <- shapes) {
          disk.write(1000, 33, write)
          disk.check(999, 35, read)
        }
        disk.checkAll()
        session.close()
        stage.awaitQuiet()
      }

      "take immediate data of every length that was granted" in Stage(family) { stage =>
        val session = stage.session()
        assert(session.channels.getFirst.login.immediateData)
        val disk = Disk(session)
        for (count <- 1 to 16) {
          disk.write(count * 20, count, Shape.Immediate)
          disk.check(count * 20 - 1, count + 2)
        }
        disk.checkAll()
      }

      "move a megabyte by one descriptor, and by 2,048" in Stage(family) { stage =>
        val disk = Disk(stage.session())
        disk.write(0, 2048)
        disk.check(0, 2048, Shape.External(512, 0))
        disk.write(2048, 2048, Shape.External(512, 0))
        disk.check(2048, 2048)
        disk.checkAll()
      }

      "keep two logical units apart" in Stage(family) { stage =>
        val session = stage.session()
        val disks = Seq(Disk(session, 0, 1), Disk(session, 1, 2))
        for (lba <- 0 until 256 by 8; disk <- disks) disk.write(lba, 8)
        disks.foreach(_.checkAll())
      }

      "keep every byte when commands are under way on four channels at once" in Stage(family) { stage =>
        val session = stage.session(channels = 4)
        val random = new Random(7)
        val model = new Array[Byte](Stage.StoreBytes)
        // Each slot has a buffer of its own and its own range of blocks, so that the order does not matter.
        val slots = for (channel <- 0 until 4; slot <- 0 until 12) yield {
          val disk = new Disk(session, 0, model, channel * 100 + slot, channel)
          (channel, (channel * 12 + slot) * 256, disk)
        }
        for (round <- 1 to 5) {
          val writes = slots.map { case (channel, lba, disk) =>
            val bytes = new Array[Byte]((1 + random.nextInt(64)) * Stage.BlockSize)
            random.nextBytes(bytes)
            System.arraycopy(bytes, 0, model, lba * Stage.BlockSize, bytes.length)
            val shape = if (bytes.length <= 8192 && random.nextBoolean()) Shape.Immediate else Shape.Indirect(4096)
            session.send(channel, disk.writeCommand(lba, bytes, shape))
          }
          writes.foreach(pending => assert(session.await(pending).good, s"round $round"))
          val reads = slots.map { case (channel, lba, disk) =>
            session.send(channel, disk.readCommand(lba, 64, 64 * Stage.BlockSize, Shape.Indirect(1536)))
          }
          reads.zip(slots).foreach { case (pending, (_, lba, disk)) =>
            assert(session.await(pending).good)
            disk.expect(lba, 64 * Stage.BlockSize, 64 * Stage.BlockSize, s"round $round at $lba")
          }
        }
        session.channels.forEach { channel =>
          assert(channel.creditViolations == 0 && channel.unknownTags == 0 && channel.outstanding == 0)
        }
      }

      "report residuals, and write no byte beyond the data (report 3)" in Stage(family) { stage =>
        val session = stage.session()
        val disk = Disk(session)
        disk.write(0, 16)
        for (shape <- Seq(Shape.Direct, Shape.Indirect(1000))) {
          val under = disk.execute(disk.readCommand(2, 4, 4096, shape))
          assert(under.good && under.inResidual == 2048, under)
          disk.expect(2, 2048, 4096, "a buffer that is too long")
          val over = disk.execute(disk.readCommand(2, 4, 1500, shape))
          assert(over.good && over.inResidual == -548, over)
          disk.expect(2, 1500, 1500, "a buffer that is too short")
        }
        val bytes = Array.fill[Byte](4096)(1)
        disk.fill(bytes)
        val longer = disk.execute(
          ScsiCommand.out(0, ScsiCommand.write16(100, 2), disk.transfer(4096, Shape.Direct)))
        assert(longer.good && longer.outResidual == 3072, longer)
        java.util.Arrays.fill(disk.model, 100 * 512, 102 * 512, 1.toByte)
        val shorter = disk.execute(
          ScsiCommand.out(0, ScsiCommand.write16(200, 8), disk.transfer(1024, Shape.Direct)))
        assert(shorter.status == 2, "a write without all its data writes nothing")
        disk.checkAll()
      }
    }
  }
}
