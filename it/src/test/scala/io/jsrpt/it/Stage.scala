package io.jsrpt.it

import io.jsrpt.actor.{SrpTarget, TargetSettings, TargetStatus}
import io.jsrpt.it.initiator.{InitiatorChannel, InitiatorSettings, LoginOutcome, SrpInitiator, SrpSession}
import io.jsrpt.rdma.{RdmaDevice, RdmaProvider, RdmaService, ServiceId}
import io.jsrpt.rdma.roce.RoceProvider
import io.jsrpt.scsi.{LogicalUnit, LogicalUnitIdentity, LogicalUnitSettings}
import io.jsrpt.srp.{LoginReject, PortId}
import io.jsrpt.store.{BlockStore, MemoryStore}
import java.util.concurrent.TimeUnit
import org.scalatest.Assertions._
import scala.jdk.CollectionConverters._
import scala.jdk.OptionConverters._

/** A running target, and initiators that reach it over UDP. */
final class Stage(family: Family, configure: TargetSettings => TargetSettings, stores: Seq[BlockStore],
    provider: RdmaProvider) {
  private val (targetService, initiatorDevice, closeInitiators) = family.open(provider)
  private var initiators = Seq.empty[SrpInitiator]
  private val units = stores.zipWithIndex.map { case (store, number) => number -> Stage.unit(store, s"lun-$number") }
  private val settings = configure(TargetSettings.of("stage", Stage.Guid, Stage.Port,
    units.map { case (number, unit) => Integer.valueOf(number) -> unit }.toMap.asJava))

  val targetDevice: RdmaDevice = targetService.devices.getFirst
  val target: SrpTarget =
    try SrpTarget.start(targetService, settings)
    catch {
      case e: Throwable =>
        closeInitiators()
        throw e
    }

  /** What a host of this number says at login. */
  def login(host: Int = 1): InitiatorSettings = InitiatorSettings.likeLinux(
    Family.gid(targetDevice), ServiceId.rdmaTcp(Stage.Port), new PortId(host, 0x1000L + host), settings.targetPort)

  /** The same by the InfiniBand service id, in the long form. */
  def infinibandLogin(host: Int = 1): InitiatorSettings = {
    val s = login(host)
    new InitiatorSettings(s.remote, new ServiceId(settings.serviceId), s.initiator, s.target, s.queueSize, s.iuLength,
      s.immediateData)
  }

  def initiator(): SrpInitiator = {
    val made = new SrpInitiator(initiatorDevice)
    initiators :+= made
    made
  }

  /** A session with an initiator of its own. */
  def session(host: Int = 1, channels: Int = 1,
      change: InitiatorSettings => InitiatorSettings = identity): SrpSession =
    initiator().login(change(login(host)), channels)

  /** The reason of a login that must be refused. */
  def refusal(settings: InitiatorSettings, privateData: Array[Byte]): LoginReject = {
    val channel = initiator().connect(settings, privateData)
    channel.outcome match {
      case rejected: LoginOutcome.Rejected =>
        assert(rejected.cmReason == io.jsrpt.rdma.CmEvent.Rejected.CONSUMER_DEFINED)
        rejected.reject.toScala.getOrElse(fail(s"no SRP_LOGIN_REJ in $rejected"))
      case other => fail(s"not rejected: $other")
    }
  }

  def status(): TargetStatus = target.status().toCompletableFuture.get(30, TimeUnit.SECONDS)

  /** How many of each kind the target's device holds open. */
  def open(): Map[String, Long] =
    targetDevice.counters.asScala.filter(_.name.startsWith("open.")).map(c => c.name -> c.value).toMap

  def sharesDevice: Boolean = targetDevice eq initiatorDevice

  /** Until nothing of a connection is left on the target's side: the sessions, and on a device of its own their parts. */
  def awaitQuiet(): Unit = {
    Stage.eventually("the sessions are gone")(status().sessions.isEmpty)
    if (!sharesDevice) {
      Stage.eventually(s"the target's device is as after the start, but for ${open()}") {
        val now = open()
        Seq("queue-pairs", "completion-queues", "memory-regions").forall(kind => now(s"open.$kind") == 0)
      }
    }
  }

  def closeInitiatorsFirst(): Unit = {
    initiators.foreach(_.close())
    initiators = Seq.empty
  }

  def close(): Unit =
    try closeInitiatorsFirst()
    finally
      try target.close()
      finally {
        closeInitiators()
        stores.foreach(_.close())
      }
}

object Stage {
  val Guid = 0x0002_c903_00a1_b2c3L
  val Port = 5555
  val BlockSize = 512
  /** Of the stores that a stage makes itself. */
  val StoreBytes: Int = 16 << 20

  def unit(store: BlockStore, name: String): LogicalUnit = new LogicalUnit(
    LogicalUnitIdentity.derived("STAGE", name), store, LogicalUnitSettings.defaults(store.blockSize))

  /** Two logical units in memory, unless there are stores. */
  def apply(family: Family, configure: TargetSettings => TargetSettings = identity, stores: Seq[BlockStore] = memory(2),
      provider: RdmaProvider = new RoceProvider)(body: Stage => Unit): Unit = {
    val stage = new Stage(family, configure, stores, provider)
    try body(stage)
    finally stage.close()
  }

  def memory(count: Int): Seq[BlockStore] = Seq.fill(count)(new MemoryStore(StoreBytes, BlockSize))

  def eventually(what: => String)(condition: => Boolean): Unit = {
    val deadline = System.nanoTime() + SrpInitiator.PATIENCE.toNanos
    while (!condition) {
      if (System.nanoTime() > deadline) fail(s"waited in vain: $what")
      Thread.sleep(10)
    }
  }

  /** Drives an initiator until the target has ended this channel. */
  def awaitEnd(initiator: SrpInitiator, channel: InitiatorChannel): Unit =
    initiator.await("the end of the channel", () => channel.disconnected)
}
