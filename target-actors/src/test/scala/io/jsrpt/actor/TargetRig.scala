package io.jsrpt.actor

import akka.actor.typed.{ActorRef, Props}
import akka.actor.typed.javadsl.Behaviors
import ch.qos.logback.classic.{Level, Logger}
import ch.qos.logback.classic.spi.ILoggingEvent
import ch.qos.logback.core.AppenderBase
import io.jsrpt.srp.{LoginReject, LoginResponse}
import io.jsrpt.testing.SimStore
import io.jsrpt.testing.rdma.{Faults, SimId, SimService}
import io.jsrpt.testing.stepping.SteppingSystem
import java.time.Duration
import java.util.Random
import org.scalatest.Assertions
import org.slf4j.LoggerFactory
import scala.jdk.CollectionConverters._
import scala.jdk.OptionConverters._

/** A whole target over the provider in memory, in an actor system that the specification steps. */
class TargetRig(
    settings: TargetSettings => TargetSettings, faults: Faults, devices: Int, started: Boolean = true) {
  private val random = new Random(1)
  val actors = new SteppingSystem()
  val service = new SimService(devices, faults)
  val store = new SimStore()
  val target: ActorRef[TargetCommand] = actors.system.systemActorOf(
    TargetActor.create(service, settings(TestUnits.target(store)), ChannelActor.create), "target", Props.empty)
  if (started) settle()

  def settle(): Unit = actors.settle(random)

  def pass(duration: Duration): Unit = {
    actors.pass(duration)
    settle()
  }

  /** A login arrives, and all that follows from it happens. */
  def login(privateData: Array[Byte], host: Int = 0, device: Int = 0): SimId = {
    val id = arrive(privateData, host, device)
    settle()
    id
  }

  /** A login arrives; no actor has seen it yet. */
  def arrive(privateData: Array[Byte], host: Int = 0, device: Int = 0): SimId =
    service.device(device).request(TestUnits.remote(host), TestUnits.SERVICE, privateData).toScala
      .getOrElse(Assertions.fail("nobody listens"))

  /** A channel that serves commands. */
  def live(privateData: Array[Byte] = TestUnits.single(0), host: Int = 0, device: Int = 0): SimId = {
    val id = login(privateData, host, device)
    id.rtu()
    settle()
    id
  }

  def arrives(id: SimId, unit: Array[Byte]): Unit = {
    Assertions.assert(id.queuePair.get.arrive(unit), "no receive is posted")
    settle()
  }

  /**
   * The answer to a question, if there is one after this has happened.
   *
   * @param without actors with this in their path do not run
   */
  def ask[T](question: ActorRef[T] => TargetCommand, after: => Unit = (), without: String = ""): Option[T] = {
    var answer: Option[T] = None
    val asker = actors.system.systemActorOf[T](
      Behaviors.receiveMessage[T] { (got: T) =>
        answer = Some(got)
        Behaviors.stopped[T]
      },
      s"asker-${random.nextLong()}",
      Props.empty)
    target.tell(question(asker))
    if (without.isEmpty) settle() else actors.settleWithout(without)
    after
    answer
  }

  def status(): TargetStatus = ask[TargetStatus](new TargetCommand.GetStatus(_)).get

  def states(): Seq[ChannelState] =
    status().sessions.asScala.toSeq.flatMap(_.channels.asScala.map(_.state))

  def response(id: SimId): LoginResponse = LoginResponse.decode(id.answer.get).get

  def rejectReason(id: SimId): Option[LoginReject.Reason] =
    id.answer.toScala.flatMap(LoginReject.decode(_).toScala).flatMap(_.reason.toScala)

  /** What the peer got, in order. */
  def sent(id: SimId): Seq[String] = id.sent.asScala.toSeq

  def journal: Seq[String] = service.ledger.journal.asScala.toSeq

  /** Ends the target, if need be, and checks that nothing is left and no rule was broken. */
  def finish(): Unit = {
    target.tell(new TargetCommand.Shutdown(actors.system.ignoreRef))
    settle()
    pass(TestUnits.TIMEOUTS.shutdown)
    while (store.end(true)) settle()
    Assertions.assert(service.closed, "the target did not stop")
    Assertions.assert(service.ledger.violations.isEmpty, service.ledger.violations)
    Assertions.assert(service.ledger.open.isEmpty, service.ledger.open)
    Assertions.assert(service.memoriesAlive == 0, "memory was not freed")
    val unexpected = actors.takeFailures().asScala.filterNot(InjectedCrash.causes)
    Assertions.assert(unexpected.isEmpty, unexpected)
  }
}

object TargetRig {
  def apply(
      settings: TargetSettings => TargetSettings = identity,
      faults: Faults = Faults.NONE,
      devices: Int = 1)(body: TargetRig => Unit): Unit = {
    val rig = new TargetRig(settings, faults, devices)
    try {
      body(rig)
      rig.finish()
    } finally {
      rig.actors.close()
    }
  }

  /** The log of the actors while a body runs. */
  def logged(body: => Unit): Seq[String] = {
    val logger = LoggerFactory.getLogger("io.jsrpt.actor").asInstanceOf[Logger]
    var lines = Seq.empty[String]
    val appender = new AppenderBase[ILoggingEvent] {
      override def append(event: ILoggingEvent): Unit =
        lines = lines :+ s"${event.getLevel} ${event.getMDCPropertyMap.getOrDefault("session", "")} ${event.getFormattedMessage}"
    }
    appender.start()
    logger.setLevel(Level.INFO)
    logger.setAdditive(false)
    logger.addAppender(appender)
    try body
    finally {
      logger.detachAppender(appender)
      logger.setAdditive(true)
      logger.setLevel(null)
    }
    lines
  }
}

/** Fails the calls that it is told to fail. */
class ChosenFaults extends Faults {
  @volatile var refused: Set[String] = Set.empty
  @volatile var crashing: Set[String] = Set.empty

  override def refuse(call: String): Unit =
    if (refused(call)) throw new io.jsrpt.rdma.RdmaException(s"injected: cannot $call")

  override def crash(call: String): Unit =
    if (crashing(call)) throw new InjectedCrash(call)
}
