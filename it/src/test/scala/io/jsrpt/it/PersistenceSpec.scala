package io.jsrpt.it

import io.jsrpt.it.initiator.ScsiCommand
import io.jsrpt.store.FileStore
import java.nio.file.{Files, Path}
import java.util.{Arrays, OptionalLong}
import org.scalatest.wordspec.AnyWordSpec

/** What was written to a file is there when the target comes back. */
class PersistenceSpec extends AnyWordSpec {
  private def open(file: Path): FileStore =
    FileStore.open(file, OptionalLong.of(Stage.StoreBytes), Stage.BlockSize, false, 2)

  for (family <- Family.all)
    s"A disk in a file, over $family" should {
      "hold every byte over restarts of the target, with sessions that end in order and that do not" in {
        val file = Files.createTempFile("jsrpt-it", ".img")
        Files.delete(file)
        val model = new Array[Byte](Stage.StoreBytes)
        try {
          for (round <- 1 to 4) {
            Stage(family, stores = Seq(open(file))) { stage =>
              val session = stage.session(channels = 2)
              val disk = new Disk(session, 0, model, round)
              disk.checkAll()
              for (i <- 0 until 40)
                disk.write(i * 97 + round, 1 + i, if (i % 3 == 0 && i < 16) Shape.Immediate else Shape.Indirect(4096))
              disk.check(0, 512)
              if (round % 2 == 0) {
                assert(session.execute(ScsiCommand.of(0, ScsiCommand.synchronizeCache)).good)
                session.close()
              }
            }
            val wrong = Arrays.mismatch(model, Files.readAllBytes(file))
            assert(wrong < 0, s"round $round: byte $wrong of the file differs")
          }
        } finally Files.deleteIfExists(file)
      }
    }
}
