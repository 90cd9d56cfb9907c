package io.jsrpt.actor

import io.jsrpt.rdma.RdmaException
import io.jsrpt.testing.SimStore
import io.jsrpt.testing.rdma.{Faults, SimService}
import java.util.concurrent.TimeUnit.SECONDS
import org.scalatest.wordspec.AnyWordSpec

/** The embedding API with an actor system of its own. */
class SrpTargetSpec extends AnyWordSpec {
  "A started target" should {
    "listen, tell its status, and free everything when it is closed, once or twice" in {
      val service = new SimService(1, Faults.NONE)
      val target = SrpTarget.start(service, TestUnits.target(new SimStore))
      assert(target.status().toCompletableFuture.get(10, SECONDS).listeners.get(0).listening)
      assert(target.closeSession("nobody").toCompletableFuture.get(10, SECONDS) == 0)
      target.close()
      target.close()
      assert(target.whenStopped().toCompletableFuture.isDone)
      assert(service.closed)
      assert(service.ledger.violations.isEmpty)
      assert(service.ledger.open.isEmpty)
    }
  }

  "A target that can listen nowhere" should {
    "not start, say why, and leave nothing open" in {
      val faults = new ChosenFaults
      faults.refused = Set("listen")
      val service = new SimService(1, faults)
      val failure = intercept[RdmaException](SrpTarget.start(service, TestUnits.target(new SimStore)))
      assert(failure.getMessage.contains("cannot listen"))
      assert(service.closed)
      assert(service.ledger.open.isEmpty)
    }
  }
}
