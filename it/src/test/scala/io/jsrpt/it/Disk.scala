package io.jsrpt.it

import io.jsrpt.it.initiator.{RegisteredBuffer, ScsiCommand, ScsiResult, SrpSession, Transfer}
import java.lang.foreign.{MemorySegment, ValueLayout}
import java.util.{Arrays, Random}
import org.scalatest.Assertions._

/** How a command's data go; the piece size of a table in bytes. */
sealed trait Shape
object Shape {
  case object Direct extends Shape
  final case class Indirect(piece: Int) extends Shape
  /** A table that the target must fetch; so many of its descriptors are in the unit all the same. */
  final case class External(piece: Int, inUnit: Int) extends Shape
  case object Immediate extends Shape
}

/** A logical unit as an initiator uses it, beside a model of what must be in it. */
final class Disk(session: SrpSession, lun: Int, val model: Array[Byte], seed: Long, channel: Int = 0) {
  private val random = new Random(seed)
  private val buffer: RegisteredBuffer = session.initiator.allocate(Disk.BufferBytes + 2L * Disk.Guard)
  private val table: RegisteredBuffer = session.initiator.allocate(1 << 16)
  private val address = ScsiCommand.lun(lun)
  /** Blocks of which it is not known what they hold, since a write of them was not answered; always consecutive. */
  var unsure: java.util.SortedSet[Integer] = new java.util.TreeSet[Integer]

  def blocks: Long = model.length / Stage.BlockSize

  /** Writes random bytes, in the store and in the model. */
  def write(lba: Int, count: Int, shape: Shape = Shape.Direct): Unit = {
    val bytes = new Array[Byte](count * Stage.BlockSize)
    random.nextBytes(bytes)
    val result = executeAware(writeCommand(lba, bytes, shape))
    assert(result.good, s"write of $count at $lba, $shape: $result")
    assert(result.outResidual == 0 && result.inResidual == 0, result)
    System.arraycopy(bytes, 0, model, lba * Stage.BlockSize, bytes.length)
  }

  def writeCommand(lba: Int, bytes: Array[Byte], shape: Shape): ScsiCommand = {
    fill(bytes)
    val cdb = ScsiCommand.write16(lba, bytes.length / Stage.BlockSize)
    ScsiCommand.out(address, cdb, shape match {
      case Shape.Immediate => new Transfer.Immediate(MemorySegment.ofArray(bytes))
      case other => transfer(bytes.length, other)
    })
  }

  /** Reads, and compares every byte with the model, and the bytes around the buffer with what they were. */
  def check(lba: Int, count: Int, shape: Shape = Shape.Direct): Unit = {
    val length = count * Stage.BlockSize
    val result = executeAware(readCommand(lba, count, length, shape))
    assert(result.good, s"read of $count at $lba, $shape: $result")
    assert(result.outResidual == 0 && result.inResidual == 0, result)
    expect(lba, length, length, s"read of $count at $lba, $shape")
  }

  def checkAll(): Unit = {
    val step = Disk.BufferBytes / Stage.BlockSize
    for (lba <- 0L until blocks by step) check(lba.toInt, math.min(step, blocks - lba).toInt)
  }

  /** A read into a buffer of so many bytes, which is marked all over before. */
  def readCommand(lba: Int, count: Int, room: Int, shape: Shape): ScsiCommand = {
    buffer.memory.fill(Disk.Untouched)
    ScsiCommand.in(address, ScsiCommand.read16(lba, count), transfer(room, shape))
  }

  /** The buffer holds the model's bytes up to `moved`, and nothing was written beyond. */
  def expect(lba: Int, moved: Int, room: Int, what: String): Unit = {
    val all = buffer.memory.toArray(ValueLayout.JAVA_BYTE)
    val from = lba * Stage.BlockSize
    val wrong = Arrays.mismatch(all, Disk.Guard, Disk.Guard + moved, model, from, from + moved)
    assert(wrong < 0, s"$what: byte $wrong differs")
    assert((0 until Disk.Guard).forall(all(_) == Disk.Untouched), s"$what: written before the buffer")
    val rest = all.indexWhere(_ != Disk.Untouched, Disk.Guard + moved)
    assert(rest < 0, s"$what: written beyond the data, at ${rest - Disk.Guard} of $room")
  }

  def fill(bytes: Array[Byte]): Unit = MemorySegment.copy(
    MemorySegment.ofArray(bytes), 0, buffer.memory, Disk.Guard, bytes.length)

  def transfer(length: Int, shape: Shape): Transfer = shape match {
    case Shape.Direct => Transfer.direct(buffer, Disk.Guard, length)
    case Shape.Indirect(piece) => Transfer.indirect(buffer, Disk.Guard, length, piece)
    case Shape.External(piece, inUnit) =>
      val pieces = Math.ceilDiv(length, piece)
      Transfer.external(buffer, Disk.Guard, length, piece, table, math.min(inUnit, pieces - 1))
    case Shape.Immediate => fail("only a write has immediate data")
  }

  /** Sends a command again that was answered with a unit attention, as Linux's disk driver does. */
  private def executeAware(command: ScsiCommand): ScsiResult = {
    val result = session.execute(channel, command)
    if (!result.good && result.senseKey == 6) session.execute(channel, command) else result
  }

  def execute(command: ScsiCommand): ScsiResult = session.execute(channel, command)
}

object Disk {
  val BufferBytes: Int = 1 << 20
  private val Guard = 4096
  private val Untouched: Byte = 0x5a

  /** A disk of an empty store. */
  def apply(session: SrpSession, lun: Int = 0, seed: Long = 1, channel: Int = 0): Disk =
    new Disk(session, lun, new Array[Byte](Stage.StoreBytes), seed, channel)
}
