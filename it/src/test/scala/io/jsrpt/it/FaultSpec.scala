package io.jsrpt.it

import io.jsrpt.it.fault.{Faults, FaultyProvider}
import io.jsrpt.it.fault.Faults.Call
import io.jsrpt.it.initiator.{LoginOutcome, SrpSession}
import io.jsrpt.rdma.WorkCompletion.{Opcode, Status}
import io.jsrpt.rdma.roce.{LossyRoce, RoceProvider}
import io.jsrpt.srp.LoginReject.Reason
import org.scalatest.wordspec.AnyWordSpec

/**
 * A target whose provider fails it. Whatever fails costs at most a connection: everything of it is freed, other sessions
 * go on, the next login works, and the store holds what was acknowledged. A write that was under way when the connection
 * went is either done or not, block by block.
 */
class FaultSpec extends AnyWordSpec {
  private val family = Family.IPv4

  private def faulty(body: (Stage, Faults) => Unit): Unit = {
    val faults = new Faults
    Stage(family, provider = new FaultyProvider(new RoceProvider, faults))(body(_, faults))
  }

  /** Works with a disk until the connection ends; the model holds what was acknowledged. */
  private def workUntilEnd(session: SrpSession, disk: Disk): Unit = {
    val channel = session.channels.getFirst
    val unsure = new java.util.TreeSet[Integer]
    var lba = 0
    while (!channel.disconnected) {
      assert(lba < 2000, "the connection survives the fault")
      for (i <- lba until lba + 8) unsure.add(i)
      // A disconnected channel ends a wait by an IllegalStateException.
      try {
        disk.write(lba, 8, if (lba % 16 == 0) Shape.Indirect(1024) else Shape.Immediate)
        unsure.clear()
        disk.check(lba, 8, Shape.Indirect(1024))
      } catch { case _: IllegalStateException => Stage.awaitEnd(session.initiator, channel) }
      lba += 8
    }
    session.release()
    disk.unsure = unsure
  }

  /** A login after the fault finds every byte that was acknowledged. */
  private def comeBack(stage: Stage, disk: Disk): Unit = {
    val session = stage.session()
    val again = new Disk(session, 0, disk.model, 77)
    if (!disk.unsure.isEmpty) again.write(disk.unsure.first, disk.unsure.size)
    again.checkAll()
    again.write(3000, 16)
    again.checkAll()
    session.close()
  }

  "A login" should {
    for (call <- Seq(Call.REGISTER_MEMORY, Call.CREATE_COMPLETION_QUEUE, Call.CREATE_QUEUE_PAIR, Call.POST_RECEIVE,
        Call.ACCEPT))
      s"be refused for want of resources when $call fails, and leave nothing behind (reports 12 and 27)" in
        faulty { (stage, faults) =>
          val other = stage.session(2)
          val disk = Disk(other)
          disk.write(0, 8)
          val before = stage.open()
          for (good <- if (call == Call.POST_RECEIVE) Seq(0, 1, 64, 129) else Seq(0)) {
            faults.failAfter(call, good)
            val settings = stage.login()
            val reject = stage.refusal(settings, settings.request(false).encode(settings.form))
            assert(reject.reason.orElseThrow == Reason.INSUFFICIENT_RESOURCES)
            faults.heal()
          }
          assert(faults.injected > 0)
          Stage.eventually(s"as before: $before, not ${stage.open()}")(stage.open() == before)
          disk.checkAll()
          Disk(stage.session(), 1).write(0, 8)
        }

    "be given up by the initiator when the target cannot send its reject, and leave nothing behind" in
      faulty { (stage, faults) =>
        faults.failAfter(Call.REJECT, 0)
        val settings = stage.login()
        val channel = stage.initiator().connect(settings, Array.emptyByteArray)
        channel.outcome match {
          case rejected: LoginOutcome.Rejected => assert(rejected.reject.isEmpty, "the connection manager's own")
          case _: LoginOutcome.Failed => succeed
          case other => fail(other.toString)
        }
        faults.heal()
        stage.awaitQuiet()
        Disk(stage.session()).write(0, 8)
      }
  }

  "A connection" should {
    for (call <- Seq(Call.POST_RECEIVE, Call.POST_SEND, Call.POST_RDMA_READ, Call.POST_RDMA_WRITE);
        good <- Seq(0, 1, 7))
      s"end when $call fails after $good, be freed, and cost no byte (report 28)" in faulty { (stage, faults) =>
        val witness = Disk(stage.session(9), 1)
        witness.write(0, 64)
        val session = stage.session()
        val disk = Disk(session)
        faults.failAfter(call, good)
        workUntilEnd(session, disk)
        assert(faults.injected > 0)
        faults.heal()
        comeBack(stage, disk)
        witness.checkAll()
      }

    for ((opcode, status) <- Seq(
        Opcode.SEND -> Status.RETRY_EXCEEDED, Opcode.SEND -> Status.RNR_RETRY_EXCEEDED,
        Opcode.RDMA_READ -> Status.REMOTE_ACCESS_ERROR, Opcode.RDMA_READ -> Status.WORK_REQUEST_FLUSHED,
        Opcode.RECEIVE -> Status.LOCAL_LENGTH_ERROR, Opcode.RECEIVE -> Status.FATAL_ERROR); good <- Seq(0, 5))
      s"end when a completion of $opcode brings $status after $good, be freed, and cost no byte" in
        faulty { (stage, faults) =>
          val session = stage.session()
          val disk = Disk(session)
          disk.write(0, 8)
          faults.spoilCompletionAfter(good, opcode, status)
          workUntilEnd(session, disk)
          assert(faults.injected == 1)
          comeBack(stage, disk)
          stage.awaitQuiet()
        }

    "serve on when completions come late, in order and complete" in faulty { (stage, faults) =>
      val session = stage.session()
      val model = new Array[Byte](Stage.StoreBytes)
      for (round <- 1 to 10) {
        faults.holdCompletions()
        val disks = (0 until 20).map(i => new Disk(session, 0, model, round * 100 + i))
        val writes = disks.zipWithIndex.map { case (disk, i) =>
          val bytes = Array.fill[Byte](2048)((round * 20 + i).toByte)
          System.arraycopy(bytes, 0, model, i * 2048, 2048)
          session.send(0, disk.writeCommand(i * 4, bytes, if (i % 2 == 0) Shape.Direct else Shape.Immediate))
        }
        Thread.sleep(5)
        assert(writes.forall(_.result.isEmpty))
        faults.releaseCompletions()
        writes.foreach(write => assert(session.await(write).good))
      }
      new Disk(session, 0, model, 0).checkAll()
      session.close()
      stage.awaitQuiet()
    }

    "end, although completions are held, when the initiator leaves" in faulty { (stage, faults) =>
      val session = stage.session()
      val disk = Disk(session)
      disk.write(0, 8)
      faults.holdCompletions()
      session.send(0, disk.readCommand(0, 8, 4096, Shape.Direct))
      session.close()
      faults.releaseCompletions()
      stage.awaitQuiet()
      comeBack(stage, disk)
    }
  }

  "A network that loses packets" should {
    for (percent <- Seq(1, 5))
      s"cost time but no byte at $percent percent" in {
        val network = new LossyRoce(percent)
        Stage(family, provider = network) { stage =>
          val session = stage.session(channels = 2)
          val disk = Disk(session)
          network.loss(percent / 100.0)
          for (i <- 0 until 60) {
            disk.write(i * 70, 1 + i, if (i < 16 && i % 2 == 0) Shape.Immediate else Shape.Indirect(4096))
            disk.check(i * 70, 1 + i, Shape.Indirect(4096))
          }
          disk.write(8192, 2048)
          disk.check(8192, 2048)
          network.loss(0)
          assert(network.lost > 0)
          disk.checkAll()
          assert(session.channels.getFirst.failures == 0)
        }
      }

    "let initiators log in and out" in {
      val network = new LossyRoce(11)
      Stage(family, provider = network) { stage =>
        network.loss(0.1)
        for (round <- 1 to 5) {
          val session = stage.session(round)
          Disk(session, 0, round).write(round * 8, 8)
          session.close()
        }
        network.loss(0)
        stage.awaitQuiet()
      }
    }

    "cost the connection when its cable is pulled, not the data; the next login works (report 19)" in {
      val network = new LossyRoce(12)
      Stage(family, provider = network) { stage =>
        val session = stage.session()
        val disk = Disk(session)
        disk.write(0, 64)
        network.loss(1)
        val lost = session.send(0, disk.readCommand(0, 64, 32768, Shape.Direct))
        session.initiator.await("the initiator's retries to end", () => session.channels.getFirst.failures > 0)
        assert(lost.result.isEmpty)
        session.vanish()
        session.release()
        network.loss(0)
        comeBack(stage, disk)
        stage.awaitQuiet()
      }
    }
  }
}
