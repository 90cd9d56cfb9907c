package io.jsrpt.it

import io.jsrpt.it.initiator.{ScsiCommand, SrpSession, Transfer}
import io.jsrpt.srp.{BufferFormats, SrpCommand, SrpOpcode}
import java.lang.foreign.MemorySegment
import java.nio.ByteBuffer
import java.util.{Arrays, Random}
import org.scalatest.wordspec.AnyWordSpec

/** Units that no initiator should send cost at most the connection that they came by. */
class HostileOverUdpSpec extends AnyWordSpec {
  private val InvalidFieldInUnit = 0x0e03

  /** A READ(16) of eight blocks with these descriptors. */
  private def read(format: Int, count: Int, descriptors: Array[Byte]): Array[Byte] =
    command(ScsiCommand.read16(0, 8), 0, 0, format, count, descriptors)

  private def write(format: Int, count: Int, descriptors: Array[Byte]): Array[Byte] =
    command(ScsiCommand.write16(0, 8), format, count, 0, 0, descriptors)

  private def command(cdb: Array[Byte], out: Int, outs: Int, in: Int, ins: Int, rest: Array[Byte]): Array[Byte] = {
    val unit = new Array[Byte](SrpCommand.FIXED_BYTES + rest.length)
    new SrpCommand().wrap(MemorySegment.ofArray(unit), 0, unit.length).encode(0, 0, 0, 0).buffers(out, outs, in, ins)
    System.arraycopy(cdb, 0, unit, 32, cdb.length)
    System.arraycopy(rest, 0, unit, SrpCommand.FIXED_BYTES, rest.length)
    unit
  }

  private def descriptor(address: Long, key: Int, length: Int): Array[Byte] =
    ByteBuffer.allocate(16).putLong(address).putInt(key).putInt(length).array

  private def table(total: Int, tableBytes: Int, entries: Array[Byte]*): Array[Byte] =
    descriptor(0, 0, tableBytes) ++ ByteBuffer.allocate(4).putInt(total).array ++ entries.flatten

  private def immediate(announced: Int): Array[Byte] = {
    val rest = new Array[Byte](20 + 4096)
    ByteBuffer.wrap(rest).putInt(announced)
    write(BufferFormats.IMMEDIATE, 0, rest)
  }

  /** Units that get CHECK CONDITION, after which the connection goes on. */
  private def refused = Seq(
    "immediate data of 2^32-1 bytes (report 1)" -> immediate(-1),
    "immediate data whose end wraps around (report 1)" -> immediate(-68),
    "immediate data a byte longer than the unit" -> immediate(4097),
    "a descriptor that is cut off" -> Arrays.copyOf(read(BufferFormats.DIRECT, 1, descriptor(0, 0, 4096)), 63),
    "no descriptor at all" -> read(BufferFormats.DIRECT, 1, Array.emptyByteArray),
    "a table that is cut off" -> read(BufferFormats.INDIRECT, 2, table(4096, 32, descriptor(4096, 1, 2048))),
    "a table of 17 bytes" -> read(BufferFormats.INDIRECT, 1, table(4096, 17, descriptor(4096, 1, 4096))),
    "a table of four gigabytes" -> read(BufferFormats.INDIRECT, 255, table(4096, 0xffff_fff0)),
    "a table that holds less than its total" ->
      read(BufferFormats.INDIRECT, 1, table(8192, 16, descriptor(4096, 1, 4096))),
    "a buffer around the end of the address space" -> read(BufferFormats.DIRECT, 1, descriptor(-100, 1, 4096)),
    "an unknown buffer format" -> read(7, 1, descriptor(0, 0, 4096)),
    "immediate data to read" -> read(BufferFormats.IMMEDIATE, 0, new Array[Byte](4)),
    "buffers both ways" -> command(ScsiCommand.write16(0, 8), BufferFormats.DIRECT, 1, BufferFormats.DIRECT, 1,
      descriptor(4096, 1, 4096) ++ descriptor(8192, 1, 4096)))

  /** Units that end the connection. */
  private def fatal = Seq(
    "no bytes" -> Array.emptyByteArray,
    "an unknown opcode" -> Array[Byte](0x55, 0, 0, 0),
    "a response" -> Array.fill[Byte](36)(0).updated(0, SrpOpcode.RSP.toByte),
    "half an SRP_CMD" -> Array.fill[Byte](24)(0).updated(0, SrpOpcode.CMD.toByte),
    "an additional CDB beyond the unit" -> command(new Array[Byte](16), 0, 0, 0, 0, Array.emptyByteArray)
      .updated(31, 0xfc.toByte),
    "half an SRP_TSK_MGMT" -> Array.fill[Byte](47)(0).updated(0, SrpOpcode.TSK_MGMT.toByte),
    "a credit response that nobody asked for" -> Array.fill[Byte](16)(0).updated(0, SrpOpcode.CRED_RSP.toByte),
    "a key that the target may not write with" -> read(BufferFormats.DIRECT, 1, descriptor(4096, 0x1234_5678, 4096)),
    "a key that the target may not read with" -> write(BufferFormats.DIRECT, 1, descriptor(4096, 0x1234_5678, 4096)),
    "a table that the target may not read" ->
      read(BufferFormats.INDIRECT, 0, descriptor(4096, 0x1234_5678, 32) ++ ByteBuffer.allocate(4).putInt(4096).array))

  /** A session that works on unit 1 while others misbehave. */
  private def beside(stage: Stage)(body: (() => Unit) => Unit): Unit = {
    val witness = stage.session(99)
    val disk = Disk(witness, 1)
    var at = 0
    body { () =>
      disk.write(at, 5)
      disk.check(math.max(0, at - 5), 10)
      at += 5
    }
    disk.checkAll()
    assert(witness.channels.getFirst.failures == 0)
  }

  for (family <- Family.all) {
    s"An initiator over $family" should {
      "be refused what it describes wrongly, and may go on" in Stage(family) { stage =>
        beside(stage) { verify =>
          val session = stage.session()
          for ((what, unit) <- refused) {
            val result = session.await(session.sendTagged(0, unit))
            assert(result.status == 2 && result.senseKey == 5 && result.additionalSense == InvalidFieldInUnit,
              s"$what: $result")
            verify()
          }
          val channel = session.channels.getFirst
          assert(channel.credits == channel.login.requestLimit && channel.creditViolations == 0)
          val disk = Disk(session)
          disk.write(0, 8)
          disk.checkAll()
        }
      }

      "lose its connection, and only that, when it breaks the protocol" in Stage(family) { stage =>
        beside(stage) { verify =>
          for ((what, unit) <- fatal) {
            val session = stage.session()
            session.sendRaw(0, unit)
            withClue(what)(Stage.awaitEnd(session.initiator, session.channels.getFirst))
            verify()
          }
          Disk(stage.session()).write(0, 8)
        }
      }

      "do no harm with units of random bytes in random places" in Stage(family) { stage =>
        val seed = System.nanoTime()
        info(s"seed $seed")
        val random = new Random(seed)
        beside(stage) { verify =>
          var session = stage.session()
          for (round <- 1 to 150) {
            if (session.channels.getFirst.disconnected) {
              session.release()
              session = stage.session()
            }
            sendBroken(session, random, s"seed $seed round $round")
            if (round % 10 == 0) verify()
          }
          session.release()
          val clean = stage.session()
          Disk(clean).write(0, 8)
        }
      }
    }
  }

  /** Sends a unit with some bytes changed, but for the LUN and the CDB, and waits for whatever becomes of it. */
  private def sendBroken(session: SrpSession, random: Random, clue: String): Unit = {
    val buffer = session.initiator.allocate(8192)
    val channel = session.channels.getFirst
    val piece = descriptor(buffer.address(0), buffer.region.rkey, 4096)
    val unit = random.nextInt(4) match {
      case 0 => read(BufferFormats.DIRECT, 1, piece)
      case 1 => read(BufferFormats.INDIRECT, 2, table(4096, 32, Arrays.copyOf(piece, 12) ++
        ByteBuffer.allocate(4).putInt(2048).array, Arrays.copyOf(piece, 12) ++ ByteBuffer.allocate(4).putInt(2048).array))
      case 2 => immediate(4096)
      case _ => write(BufferFormats.DIRECT, 1, piece)
    }
    for (_ <- 0 to random.nextInt(3)) {
      val at = random.nextInt(unit.length.min(120))
      if ((at < 8 || at >= 28) && (at < 32 || at >= 48)) unit(at) = random.nextInt(256).toByte
    }
    val sent = if (random.nextInt(4) == 0) Arrays.copyOf(unit, 1 + random.nextInt(unit.length)) else unit
    val known = channel.unknownTags
    val pending = session.sendTagged(0, sent)
    session.initiator.await(clue,
      () => pending.result.isPresent || channel.disconnected || channel.unknownTags > known)
  }
}
