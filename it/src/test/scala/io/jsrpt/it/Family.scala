package io.jsrpt.it

import io.jsrpt.rdma.{Gid, RdmaDevice, RdmaException, RdmaProvider, RdmaService, RdmaSettings}
import io.jsrpt.rdma.roce.RoceProvider
import java.net.InetAddress
import java.util.List
import scala.annotation.tailrec

/** Where target and initiator meet: real UDP on the loopback interface, in one of the address families. */
sealed abstract class Family(override val toString: String) {
  /**
   * Opens the target's service, and the device that initiators use; what closes the latter's service, if it has one of
   * its own, comes last.
   */
  def open(provider: RdmaProvider): (RdmaService, RdmaDevice, () => Unit)

  protected def patiently(provider: RdmaProvider, address: InetAddress): RdmaService = {
    // RoCE has one UDP port; another program may still be about to leave it.
    val deadline = System.nanoTime() + 30_000_000_000L
    @tailrec def attempt(): RdmaService = {
      val opened =
        try Right(provider.open(RdmaSettings.of(List.of(address))))
        catch { case e: RdmaException if System.nanoTime() < deadline => Left(e) }
      opened match {
        case Right(service) => service
        case Left(_) =>
          Thread.sleep(50)
          attempt()
      }
    }
    attempt()
  }
}

object Family {
  /** Two addresses of 127.0.0.0/8 that no other process uses. */
  case object IPv4 extends Family("IPv4") {
    override def open(provider: RdmaProvider): (RdmaService, RdmaDevice, () => Unit) = {
      val target = patiently(provider, address(1))
      try {
        val initiator = patiently(new RoceProvider, address(2))
        (target, initiator.devices.getFirst, () => initiator.close())
      } catch {
        case e: Throwable =>
          target.close()
          throw e
      }
    }

    private def address(host: Int): InetAddress = {
      val pid = ProcessHandle.current.pid
      InetAddress.getByAddress(scala.Array[Byte](127, (pid >> 8).toByte, pid.toByte, host.toByte))
    }
  }

  /** There is one loopback address only, so target and initiator share a device, and the port meets itself. */
  case object IPv6 extends Family("IPv6") {
    override def open(provider: RdmaProvider): (RdmaService, RdmaDevice, () => Unit) = {
      val service = patiently(provider, InetAddress.ofLiteral("::1"))
      (service, service.devices.getFirst, () => ())
    }
  }

  val all: Seq[Family] = Seq(IPv4, IPv6)

  def gid(device: RdmaDevice): Gid = device.ports.getFirst.gids.getFirst
}
