package io.jsrpt.it

import io.jsrpt.actor.AllowedInitiators
import io.jsrpt.it.initiator.{InitiatorSettings, LoginOutcome}
import io.jsrpt.srp.LoginReject.Reason
import io.jsrpt.srp.{LoginRequest, PortId}
import java.util.List
import org.scalatest.wordspec.AnyWordSpec

/** Which logins are taken, and what the others are told. */
class LoginOverUdpSpec extends AnyWordSpec {
  private def encoded(settings: InitiatorSettings, multi: Boolean)(change: LoginRequest => LoginRequest): Array[Byte] =
    change(settings.request(multi)).encode(settings.form)

  private def request(r: LoginRequest, opcode: Int = -1, length: Long = -1, formats: Int = -1, flags: Int = -1,
      target: PortId = null): LoginRequest = new LoginRequest(
    if (opcode < 0) r.opcode else opcode,
    0x1122_3344_5566_7788L,
    if (length < 0) r.requestedIuLength else length,
    if (formats < 0) r.bufferFormats else formats,
    if (flags < 0) r.flags else flags,
    r.immediateDataOffset,
    r.initiator,
    Option(target).getOrElse(r.target))

  private val refused = Seq[(String, Reason, LoginRequest => LoginRequest)](
    ("of another opcode", Reason.UNABLE_TO_ESTABLISH, request(_, opcode = 1)),
    ("with units too short for a response", Reason.UNABLE_TO_ESTABLISH, request(_, length = 63)),
    ("with units longer than the target takes", Reason.IU_LENGTH_TOO_LARGE, request(_, length = 8277)),
    ("with units of four gigabytes", Reason.IU_LENGTH_TOO_LARGE, request(_, length = 0xffff_ffffL)),
    ("to another target port", Reason.UNABLE_TO_ASSOCIATE, request(_, target = new PortId(1, 2))),
    ("with unknown buffer formats", Reason.UNSUPPORTED_BUFFER_FORMAT, request(_, formats = 0x000f)),
    ("with a reserved multichannel action", Reason.MULTICHANNEL_UNSUPPORTED, request(_, flags = 2)))

  for (family <- Family.all) {
    s"A login over $family" should {
      "get what a Linux initiator needs, in the short form and in the long" in
        Stage(family, _.withInfinibandService(true)) { stage =>
          for (settings <- Seq(stage.login(), stage.infinibandLogin(2))) {
            val session = stage.initiator().login(settings, 1)
            val answer = session.channels.getFirst.login
            assert(answer.requestLimit == 128)
            assert(answer.maxInitiatorToTargetLength >= settings.iuLength)
            assert(answer.maxTargetToInitiatorLength <= settings.iuLength)
            assert(answer.immediateData)
            Disk(session, 0, settings.initiator.high).write(0, 8)
          }
          assert(stage.status().sessions.size == 2)
        }

      for ((what, reason, change) <- refused)
        s"be refused $what" in Stage(family) { stage =>
          for (settings <- Seq(stage.login())) {
            val reject = stage.refusal(settings, encoded(settings, multi = false)(change))
            assert(reject.reason.orElseThrow == reason)
            assert(reject.tag == 0x1122_3344_5566_7788L, "the tag is the request's")
            assert(reject.bufferFormats == 6)
          }
          stage.awaitQuiet()
          Disk(stage.session()).write(0, 8)
        }

      "be refused without private data" in Stage(family) { stage =>
        assert(stage.refusal(stage.login(), Array.emptyByteArray).reason.orElseThrow == Reason.UNABLE_TO_ESTABLISH)
      }

      "be refused beyond the channels of a nexus (report 27)" in Stage(family, _.withMaxChannels(3)) { stage =>
        val session = stage.session(channels = 3)
        val reject = stage.refusal(stage.login(), encoded(stage.login(), multi = true)(identity))
        assert(reject.reason.orElseThrow == Reason.CHANNEL_LIMIT)
        val other = stage.refusal(stage.login(2), encoded(stage.login(2), multi = true)(request(_, flags = 3)))
        assert(other.reason.orElseThrow == Reason.MULTICHANNEL_UNSUPPORTED)
        Disk(session, channel = 2).write(0, 8)
      }

      "be refused a second channel where there is one for each nexus" in Stage(family, _.withMaxChannels(1)) { stage =>
        val session = stage.session()
        val reject = stage.refusal(stage.login(), encoded(stage.login(), multi = true)(identity))
        assert(reject.reason.orElseThrow == Reason.MULTICHANNEL_UNSUPPORTED)
        Disk(session).write(0, 8)
      }

      "be refused when the initiator is not allowed, and taken when it is (report 25)" in {
        val host = new PortId(5, 0x1005)
        Stage(family, _.withAllowedInitiators(AllowedInitiators.of(List.of(host.toString)))) { stage =>
          val reject = stage.refusal(stage.login(4), encoded(stage.login(4), multi = false)(identity))
          assert(reject.reason.orElseThrow == Reason.CHANNEL_LIMIT)
          Disk(stage.session(5)).write(0, 8)
        }
      }

      "be taken with the longest units that are announced (report 16)" in Stage(family) { stage =>
        val longest = stage.session().channels.getFirst.login.maxInitiatorToTargetLength.toInt
        val session = stage.session(2, change = _.withIuLength(longest))
        Disk(session).write(0, 16, Shape.Immediate)
      }

      "find nobody at another service, and be told so" in Stage(family) { stage =>
        val s = stage.login()
        val elsewhere = new InitiatorSettings(s.remote, io.jsrpt.rdma.ServiceId.rdmaTcp(5556), s.initiator, s.target,
          s.queueSize, s.iuLength, true)
        val channel = stage.initiator().connect(elsewhere, s.request(false).encode(s.form))
        channel.outcome match {
          case rejected: LoginOutcome.Rejected =>
            assert(rejected.cmReason == io.jsrpt.rdma.CmEvent.Rejected.INVALID_SERVICE_ID)
          case other => fail(other.toString)
        }
      }

      "leave nothing behind, refused or taken, a hundred times over" in Stage(family) { stage =>
        val initiator = stage.initiator()
        Disk(initiator.login(stage.login(), 1)).write(0, 8)
        val before = stage.open()
        for (round <- 1 to 50) {
          val settings = stage.login(2)
          val channel = initiator.connect(settings, encoded(settings, multi = false)(request(_, length = 9000)))
          assert(channel.outcome.isInstanceOf[LoginOutcome.Rejected])
          initiator.close(channel)
          val session = initiator.login(settings, 1)
          if (round % 10 == 0) Disk(session, 1, round).write(round, 1)
          session.close()
        }
        Stage.eventually(s"as before: $before, not ${stage.open()}")(
          stage.open().view.filterKeys(!_.contains("memory-regions")).toMap ==
            before.view.filterKeys(!_.contains("memory-regions")).toMap)
        assert(stage.status().sessions.size == 1)
      }
    }
  }
}
