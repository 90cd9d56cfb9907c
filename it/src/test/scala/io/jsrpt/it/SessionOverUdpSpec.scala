package io.jsrpt.it

import io.jsrpt.it.initiator.{ScsiCommand, SrpInitiator, SrpSession}
import io.jsrpt.srp.LoginResponse.MultichannelResult
import io.jsrpt.srp.{InitiatorLogout, TaskManagement}
import io.jsrpt.store.FileStore
import java.lang.foreign.MemorySegment
import java.nio.file.Files
import java.util.OptionalLong
import java.util.concurrent.TimeUnit
import org.scalatest.wordspec.AnyWordSpec
import scala.jdk.CollectionConverters._

/** Sessions: their channels, their tasks, and their end from either side. */
class SessionOverUdpSpec extends AnyWordSpec {
  private def gated(family: Family)(body: (Stage, GateStore) => Unit): Unit = {
    val store = new GateStore
    Stage(family, stores = Seq(store, new GateStore))(body(_, store))
  }

  private def awaitHeld(driver: SrpInitiator, store: GateStore, count: Int): Unit =
    driver.await(s"$count operations in the store", () => store.held == count)

  private def logout: Array[Byte] = {
    val unit = new Array[Byte](InitiatorLogout.BYTES)
    InitiatorLogout.encode(MemorySegment.ofArray(unit), 0, 1)
    unit
  }

  private def bytes(length: Int, value: Int): Array[Byte] = Array.fill(length)(value.toByte)

  private def ended(session: SrpSession): Unit =
    session.channels.forEach(channel => Stage.awaitEnd(session.initiator, channel))

  "A target" should {
    "go on beside another target in the same program (report 31)" in Stage(Family.IPv4) { one =>
      val first = Disk(one.session(channels = 2))
      first.write(0, 8)
      Stage(Family.IPv6) { two =>
        val second = Disk(two.session(channels = 2), seed = 2)
        second.write(0, 8)
        first.write(8, 8)
        second.checkAll()
      }
      first.write(16, 8)
      first.checkAll()
    }
  }

  for (family <- Family.all) {
    s"A session over $family" should {
      "be listed with its channels and credits (report 24)" in Stage(family) { stage =>
        val session = stage.session(channels = 4)
        Disk(session).write(0, 8)
        val listed = stage.status().sessions.asScala.toSeq
        assert(listed.map(_.channels.size) == Seq(4))
        assert(listed.head.initiatorPort == stage.login().initiator)
        assert(listed.head.channels.asScala.forall(_.statistics.creditsHeld == 128))
        val results = session.channels.asScala.map(_.login.result).toSeq
        assert(results == MultichannelResult.NO_CHANNEL +: Seq.fill(3)(MultichannelResult.MAINTAINED))
      }

      "be ended by a new login with the action SINGLE, which finds the data" in Stage(family) { stage =>
        val old = stage.session(channels = 3)
        val disk = Disk(old)
        disk.write(0, 64)
        val session = stage.session()
        assert(session.channels.getFirst.login.result == MultichannelResult.TERMINATED)
        ended(old)
        val again = new Disk(session, 0, disk.model, 2)
        again.checkAll()
        again.write(64, 8)
        Stage.eventually("one channel is left")(
          stage.status().sessions.asScala.map(_.channels.size).toSeq == Seq(1))
      }

      "be ended on one channel by SRP_I_LOGOUT, and go on with the others" in Stage(family) { stage =>
        val session = stage.session(channels = 2)
        session.sendRaw(0, logout)
        Stage.awaitEnd(session.initiator, session.channels.getFirst)
        val disk = Disk(session, channel = 1)
        disk.write(0, 8)
        disk.checkAll()
        assert(!session.channels.get(1).disconnected)
      }

      "be ended by the initiator, in order, again and again (reports 21 and 22: fast logins)" in
        Stage(family) { stage =>
          var model = new Array[Byte](Stage.StoreBytes)
          for (round <- 1 to 20) {
            val session = stage.session(channels = 2)
            val disk = new Disk(session, 0, model, round, round % 2)
            disk.check(0, 64)
            disk.write(round, 4)
            model = disk.model
            session.close()
          }
          stage.awaitQuiet()
        }

      "be ended by the operator, and may come back" in Stage(family) { stage =>
        val session = stage.session(channels = 2)
        val name = stage.status().sessions.getFirst.name
        val closed = stage.target.closeSession(name).toCompletableFuture
        ended(session)
        assert(closed.get(30, TimeUnit.SECONDS) == 1)
        Disk(stage.session()).write(0, 8)
      }

      "be ended by new logins while its commands are under way; no write of it comes later (report 32)" in {
        val file = Files.createTempFile("jsrpt-it", ".img")
        Files.delete(file)
        // One thread, so that writes of an old session would still wait in the store when the new one begins.
        val store = FileStore.open(file, OptionalLong.of(Stage.StoreBytes), Stage.BlockSize, false, 1)
        try Stage(family, stores = Seq(store)) { stage =>
          val model = new Array[Byte](Stage.StoreBytes)
          for (round <- 1 to 12) {
            val old = stage.session()
            for (i <- 0 until 24) {
              val disk = new Disk(old, 0, model, round * 100 + i)
              val shape = if (i % 3 == 0) Shape.Immediate else Shape.Direct
              val length = if (i % 3 == 0) 4096 else 65536
              old.send(0, disk.writeCommand(i * 128, bytes(length, 255 - round), shape))
            }
            val session = stage.session()
            val disk = new Disk(session, 0, model, round)
            for (i <- 0 until 24) disk.write(i * 128, 128)
            ended(old)
            disk.check(0, 2048)
            disk.check(2048, 1024)
            session.close()
          }
        } finally Files.deleteIfExists(file)
      }

      "be replaced when the initiator has vanished in the middle of a read" in gated(family) { (stage, store) =>
        val old = stage.session()
        store.shut()
        val disk = Disk(old)
        old.send(0, disk.readCommand(0, 64, 32768, Shape.Direct))
        awaitHeld(old.initiator, store, 1)
        old.vanish()
        store.open()
        val session = stage.session()
        val again = Disk(session)
        again.write(0, 64)
        again.checkAll()
      }

      "end with the target, which answers nothing any more and frees everything" in gated(family) { (stage, store) =>
        val session = stage.session(channels = 2)
        val other = stage.session(2)
        store.shut()
        val disk = Disk(session)
        session.send(1, disk.writeCommand(0, bytes(4096, 1), Shape.Direct))
        awaitHeld(session.initiator, store, 1)
        val stopping = new Thread(() => stage.target.close(), "stopping")
        stopping.start()
        ended(session)
        ended(other)
        store.open()
        stage.closeInitiatorsFirst()
        stopping.join(30_000)
        assert(!stopping.isAlive)
        assert(stage.target.whenStopped().toCompletableFuture.isDone)
        // Where initiators share the device, it closes with the target, while they still have things of their own.
        assert(stage.sharesDevice || stage.open().values.forall(_ == 0), stage.open())
      }

      "not disturb another nexus by its logins, its ends and its faults" in Stage(family) { stage =>
        val witness = stage.session(9)
        val disk = Disk(witness, 1)
        for (round <- 1 to 5) {
          disk.write(round * 10, 10)
          val session = stage.session()
          if (round % 2 == 0) session.sendRaw(0, Array[Byte](0x77)) else session.channels.getFirst.disconnect()
          ended(session)
          disk.check(round * 10, 10)
        }
        assert(witness.channels.getFirst.failures == 0)
        disk.checkAll()
      }
    }

    s"Task management over $family" should {
      "answer an abort when the store has let go, and give the credit back (report 4)" in
        gated(family) { (stage, store) =>
          val session = stage.session()
          val channel = session.channels.getFirst
          val disk = Disk(session)
          for (_ <- 1 to 10) {
            store.shut()
            val read = session.send(0, disk.readCommand(0, 8, 4096, Shape.Direct))
            awaitHeld(session.initiator, store, 1)
            val opener = new Thread(() => {
              Thread.sleep(20)
              store.open()
            })
            opener.start()
            assert(session.abort(read, 0) == TaskManagement.COMPLETE)
            assert(store.held == 0, "answered while the store had the task")
            opener.join()
            disk.expect(0, 0, 4096, "an aborted read")
            assert(channel.outstanding == 0)
          }
          session.initiator.await("all credits", () => channel.credits == channel.login.requestLimit)
          disk.write(0, 8)
          disk.checkAll()
        }

      "answer every function" in Stage(family) { stage =>
        val session = stage.session()
        for (function <- Seq(TaskManagement.ABORT_TASK, TaskManagement.ABORT_TASK_SET, TaskManagement.CLEAR_TASK_SET,
            TaskManagement.LOGICAL_UNIT_RESET))
          assert(session.manage(0, 0, function, 77) == TaskManagement.COMPLETE)
        assert(session.manage(0, 0, TaskManagement.CLEAR_ACA, 0) == TaskManagement.NOT_SUPPORTED)
        assert(session.manage(0, 0, 0x33, 0) == TaskManagement.NOT_SUPPORTED)
        assert(session.manage(0, ScsiCommand.lun(7), TaskManagement.LOGICAL_UNIT_RESET, 0) == TaskManagement.FAILED)
        Disk(session).write(0, 8)
      }

      "reset a unit for all nexuses, end their tasks, and lose no byte" in gated(family) { (stage, store) =>
        val one = stage.session(1, channels = 2)
        val two = stage.session(2)
        val disk = Disk(one)
        disk.write(0, 64)
        store.shut()
        val mine = one.send(1, disk.readCommand(0, 8, 4096, Shape.Direct))
        val others = two.send(0, Disk(two).readCommand(0, 8, 4096, Shape.Direct))
        awaitHeld(two.initiator, store, 2)
        val opener = new Thread(() => {
          Thread.sleep(20)
          store.open()
        })
        opener.start()
        // One thread drives both initiators: the other's credits come by SRP_CRED_REQ.
        assert(one.reset(0) == TaskManagement.COMPLETE)
        opener.join()
        assert(mine.result.isEmpty && others.result.isEmpty)
        val channel = two.channels.getFirst
        two.initiator.await("the credit of the other nexus", () => channel.credits == channel.login.requestLimit)
        val again = new Disk(two, 0, disk.model, 3)
        again.write(64, 8)
        again.checkAll()
        new Disk(one, 0, again.model, 4, 1).checkAll()
      }
    }
  }
}
